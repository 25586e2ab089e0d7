/** The menu of a list page: what can be done with all of its rows. */

import type { Selected } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { ExportForm } from './export-form.tsx'
import { EXPORT_FORM } from './pick-cells.tsx'

type PageMenuProps = { view: TableView; selected: Selected }

export function PageMenu({ view, selected }: PageMenuProps) {
  const { selection: words } = useMessages()
  if (!view.exportable && !view.correct) return null
  return (
    <Menu id="more" label={words.more} className="btn icon" face={<Icon name="more" />}>
      {view.exportable && <ExportForm id={EXPORT_FORM} view={view} selected={selected} />}
      {view.correct && (
        <a className="item" role="menuitem" href={view.correct.href}>
          <Icon name="display" />
          {view.correct.table}
        </a>
      )}
    </Menu>
  )
}
