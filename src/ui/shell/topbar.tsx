/** The bar above a narrow page; it opens the rail as a drawer. */

import type { ShellComponent } from '../../protocol/admin-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { FindIcon } from '../commands/find-button.tsx'
import { Icon, Mark } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Shown } from '../parts/plain-text.tsx'

/** Id of the rail, for the button that opens it. */
export const RAIL_ID = 'rail'

export function Topbar({ shell }: { shell: string }) {
  const { view } = useComponent<ShellComponent>(shell)
  const messages = useMessages()
  return (
    <header className="topbar">
      <button
        type="button"
        className="btn icon"
        aria-label={messages.shell.openTables}
        popoverTarget={RAIL_ID}
      >
        <Icon name="menu" />
      </button>
      <Mark />
      <b className="name">
        <Shown text={view.database.name} />
      </b>
      <FindIcon />
    </header>
  )
}
