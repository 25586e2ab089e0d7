/** The person's menu at the foot of the rail: their account, and signing out. */

import type { ShellView } from '../../protocol/admin-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { initials } from './rail-items.ts'
import { Shown } from '../parts/plain-text.tsx'

const MENU_ID = 'person-menu'
/** Id of what signs out: the palette presses it, and `forget-on-sign-out.ts` hears of it. */
export const SIGN_OUT_ID = 'sign-out'

export function PersonMenu({ user, links }: Pick<ShellView, 'user' | 'links'>) {
  const { shell } = useMessages()
  return (
    <>
      <button type="button" className="person" popoverTarget={MENU_ID}>
        <span className="who" aria-hidden="true">
          {initials(user.name).toUpperCase()}
        </span>
        <span className="name">
          <Shown text={user.name} />
        </span>
      </button>
      <div id={MENU_ID} className="menu above" popover="auto">
        <p className="self">
          <Shown text={user.name} />
          <span>
            <Shown text={[user.email, user.role].filter(Boolean).join(', ')} />
          </span>
        </p>
        <hr />
        <a className="item" href={links.account}>
          <Icon name="person" />
          {shell.account}
        </a>
        {links.signOut && <SignOut {...links.signOut} />}
      </div>
    </>
  )
}

/** Tablewire's own sign-out is a form; a host's is a link. */
function SignOut({ href, method }: NonNullable<ShellView['links']['signOut']>) {
  const { shell } = useMessages()
  const { csrf } = usePage()
  const label = (
    <>
      <Icon name="leave" flip />
      {shell.signOut}
    </>
  )
  if (method === 'get')
    return (
      // Signing out is not a page, and is never fetched ahead.
      <a id={SIGN_OUT_ID} className="item" href={href} data-native>
        {label}
      </a>
    )
  return (
    <form method="post" action={href}>
      <input type="hidden" name="_token" value={csrf} />
      <button type="submit" id={SIGN_OUT_ID} className="item">
        {label}
      </button>
    </form>
  )
}
