/** The sessions of a person, each with a button to end it. */

import type { SessionView } from '../../protocol/admin-view.ts'
import { useMessages } from '../parts/use-messages.ts'

export type SessionListProps = {
  sessions: readonly SessionView[]
  revoke(session: SessionView): void
  revokeOthers(): void
}

export function SessionList({ sessions, revoke, revokeOthers }: SessionListProps) {
  const { account } = useMessages()
  const isElsewhere = sessions.some(({ current }) => !current)
  return (
    <section>
      <div className="cap">
        <h2 id="sessions">{account.sessions}</h2>
        {isElsewhere ? (
          <button type="button" className="btn line needs-script" onClick={revokeOthers}>
            {account.revokeOthers}
          </button>
        ) : (
          <span className="muted">{account.onlyHere}</span>
        )}
      </div>
      <table className="ledger" role="table" aria-labelledby="sessions">
        <thead role="rowgroup">
          <tr role="row">
            {[account.device, account.address, account.created, account.lastSeen].map((head) => (
              <th key={head} scope="col" role="columnheader">
                {head}
              </th>
            ))}
            <th scope="col" role="columnheader">
              <span className="sr">{account.action}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} revoke={revoke} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type SessionRowProps = { session: SessionView; revoke(session: SessionView): void }

function SessionRow({ session, revoke }: SessionRowProps) {
  const { account } = useMessages()
  return (
    <tr role="row">
      <th scope="row" role="rowheader">
        {session.device}
      </th>
      <td role="cell">{session.address}</td>
      <td role="cell" data-label={account.created}>
        {session.created}
      </td>
      <td role="cell" data-label={account.lastSeen}>
        {session.lastSeen}
      </td>
      <td role="cell">
        {session.current ? (
          <span className="here">{account.current}</span>
        ) : (
          <button type="button" className="plain needs-script" onClick={() => revoke(session)}>
            {account.revoke}
            <span className="sr"> {session.device}</span>
          </button>
        )}
      </td>
    </tr>
  )
}
