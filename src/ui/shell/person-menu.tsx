/** The person at the foot of the rail: their account, and the way out. */

import type { ShellView } from '../../protocol/page.ts'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { initials } from './rail-items.ts'

const MENU_ID = 'person-menu'

export function PersonMenu({ user }: { user: ShellView['user'] }) {
  const { shell } = useMessages()
  const { csrf } = usePage()
  return (
    <>
      <button type="button" className="person" popoverTarget={MENU_ID}>
        <span className="who" aria-hidden="true">
          {initials(user.name).toUpperCase()}
        </span>
        <span className="name">{user.name}</span>
      </button>
      <div id={MENU_ID} className="menu above" popover="auto">
        <p className="self">
          {user.name}
          <span>{`${user.email}, ${user.role}`}</span>
        </p>
        <hr />
        <a className="item" href="/account">
          <Icon name="person" />
          {shell.account}
        </a>
        <form method="post" action="/sign-out">
          <input type="hidden" name="_token" value={csrf} />
          <button type="submit" className="item">
            <Icon name="leave" flip />
            {shell.signOut}
          </button>
        </form>
      </div>
    </>
  )
}
