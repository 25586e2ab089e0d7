/** The account page: the person's profile and sessions. */

import type { AccountComponent } from '../../protocol/admin-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { FactList } from '../parts/fact-list.tsx'
import { Head } from '../parts/head.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { SessionList } from './session-list.tsx'

export function AccountPage({ component }: { component: string }) {
  const { view, call } = useComponent<AccountComponent>(component)
  const { account } = useMessages()
  const notify = useNotify()
  const tell = (said: string, done: Promise<unknown>) =>
    // The page's failure display says what went wrong.
    done.then(
      () => notify(said),
      () => undefined,
    )
  const facts = [
    { label: account.name, value: view.name },
    { label: account.email, value: view.email },
    { label: account.role, value: view.role },
  ]
  return (
    <>
      <Head title={account.title} />
      <div className="form">
        <section>
          <div className="cap">
            <h2>{account.profile}</h2>
          </div>
          <FactList facts={facts} label={account.profile} />
        </section>
        <SessionList
          sessions={view.sessions}
          revoke={({ id, device }) => void tell(account.revoked(device), call.revoke(id))}
          revokeOthers={() => void tell(account.revokedOthers, call.revokeOthers())}
        />
      </div>
    </>
  )
}
