/** The rail: the database, its tables, and the person. */

import { useEffect, useRef } from 'react'
import type { ShellComponent } from '../../protocol/admin-view.ts'
import { useComponent, usePage } from '../../react/use-component.ts'
import { FindButton } from '../commands/find-button.tsx'
import { laterPart } from '../later-part.tsx'
import { Icon, Mark } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useLook } from './look.tsx'
import { PersonMenu } from './person-menu.tsx'
import { RailTables } from './rail-tables.tsx'
import { ThemeButton } from './theme-button.tsx'
import { RAIL_ID } from './topbar.tsx'
import { Shown } from '../parts/plain-text.tsx'

const RailParts = laterPart(async () => (await import('./shell-work.ts')).RailParts)

export function Rail({ shell }: { shell: string }) {
  const { view, call } = useComponent<ShellComponent>(shell)
  const { railCollapsed } = useLook()
  const messages = useMessages()
  const { url, current } = usePage()
  const rail = useRef<HTMLElement>(null)
  useEffect(() => {
    if (rail.current?.matches(':popover-open')) rail.current.hidePopover()
  }, [url])
  return (
    <aside
      ref={rail}
      id={RAIL_ID}
      popover="auto"
      className={railCollapsed ? 'rail collapsed' : 'rail'}
      aria-label={messages.shell.database}
    >
      <div className="rail-head">
        <Mark />
        <div className="base">
          <b>
            <Shown text={view.database.name} />
          </b>
          <small>{view.database.kind}</small>
        </div>
      </div>
      <FindButton />
      <RailTables
        groups={view.groups}
        current={current}
        // The page's failure display says what went wrong.
        fold={(id, isOpen) => void call.fold(id, isOpen).catch(() => undefined)}
      />
      <div className="rail-foot">
        <PersonMenu user={view.user} links={view.links} />
        <ThemeButton />
        <CollapseButton />
      </div>
      <RailParts {...{ rail, shell }} />
    </aside>
  )
}

function CollapseButton() {
  const { railCollapsed, choose } = useLook()
  const { shell } = useMessages()
  return (
    <button
      type="button"
      className="btn icon collapse needs-script"
      aria-label={railCollapsed ? shell.expand : shell.collapse}
      onClick={() => choose('railCollapsed', !railCollapsed)}
    >
      <Icon name="rail" flip />
    </button>
  )
}
