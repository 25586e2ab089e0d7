/** The menu of a list page: what can be done with all of its rows, and with the table. */

import { useState } from 'react'
import type { Selected } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { ChangesDialog, isSwitchable } from '../changes/changes-button.tsx'
import { useCorrectLink } from '../corrections/correct-context.ts'
import { PAGE_MENU_ID } from '../list/menu-ids.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { ExportForm } from './export-form.tsx'
import { EXPORT_FORM } from './pick-cells.tsx'

type PageMenuProps = { component: string; view: TableView; selected: Selected }

export function PageMenu({ component, view, selected }: PageMenuProps) {
  const { list, selection: words } = useMessages()
  const correction = useCorrectLink(view, null)
  const [isAsking, ask] = useState(false)
  const isAllowed = view.changes === 'allowed' && isSwitchable(view)
  if (!view.exportable && !view.correct && !isAllowed) return null
  return (
    <>
      <Menu id={PAGE_MENU_ID} label={words.more} className="btn icon" face={<Icon name="more" />}>
        {view.exportable && <ExportForm id={EXPORT_FORM} view={view} selected={selected} />}
        {view.correct && (
          <a className="item" role="menuitem" {...correction}>
            <Icon name="display" />
            {view.correct.table}
          </a>
        )}
        {isAllowed && (
          <button
            type="button"
            className="item needs-script"
            role="menuitem"
            onClick={({ currentTarget }) => {
              // The focus goes back to the button, and there again once the dialog is closed.
              currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
              ask(true)
            }}
          >
            <Icon name="lock" />
            {list.makeReadOnly}
          </button>
        )}
      </Menu>
      {isAsking && <ChangesDialog component={component} onClose={() => ask(false)} />}
    </>
  )
}
