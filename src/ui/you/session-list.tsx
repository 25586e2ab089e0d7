/** The sessions of a person, each with a button that ends it. */

import type { SessionView } from '../../protocol/you-view.ts'
import { useYou } from './you-words.ts'
import { YouForm } from './you-form.tsx'

export function SessionList({ sessions }: { sessions: readonly SessionView[] }) {
  const { words } = useYou()
  const isElsewhere = sessions.some(({ current }) => !current)
  return (
    <section>
      <div className="cap">
        <h2 id="sessions">{words.sessions}</h2>
        {isElsewhere ? (
          <YouForm does="endOthers" className="inline">
            <button type="submit" className="btn line">
              {words.endOthers}
            </button>
          </YouForm>
        ) : (
          <span className="muted">{words.onlyHere}</span>
        )}
      </div>
      <table className="ledger" role="table" aria-labelledby="sessions">
        <thead role="rowgroup">
          <tr role="row">
            {[words.device, words.address, words.created, words.lastSeen].map((head) => (
              <th key={head} scope="col" role="columnheader">
                {head}
              </th>
            ))}
            <th scope="col" role="columnheader">
              <span className="sr">{words.action}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function SessionRow({ session }: { session: SessionView }) {
  const { words } = useYou()
  return (
    <tr role="row">
      <th scope="row" role="rowheader">
        {session.device}
      </th>
      <td role="cell">{session.address}</td>
      <td role="cell" data-label={words.created}>
        {session.created}
      </td>
      <td role="cell" data-label={words.lastSeen}>
        {session.lastSeen}
      </td>
      <td role="cell">
        {session.current ? (
          <span className="here">{words.here}</span>
        ) : (
          <YouForm does="end" className="inline">
            <input type="hidden" name="session" value={session.id} />
            <button type="submit" className="plain">
              {words.end}
              <span className="sr"> {session.device}</span>
            </button>
          </YouForm>
        )}
      </td>
    </tr>
  )
}
