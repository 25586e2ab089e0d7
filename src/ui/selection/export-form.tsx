/** Exports the selected rows, or all that match: a form, so that the browser saves the file. */

import { isNone, type Selected } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

type ExportFormProps = {
  view: TableView
  selected: Selected
  /** Default: none. */
  id?: string
}

/** Items of a menu: the columns that are shown, or all, and other formats. */
export function ExportForm({ view, selected, id }: ExportFormProps) {
  const { selection: words } = useMessages()
  const { csrf } = usePage()
  const query = new URLSearchParams(view.params).toString()
  return (
    <form id={id} method="post" action={`${view.href}/export${query && `?${query}`}`}>
      <input type="hidden" name="_token" value={csrf} />
      {!isNone(selected) && (
        <input type="hidden" name="selected" value={JSON.stringify(selected)} />
      )}
      {(['shown', 'all'] as const).map((columns) => (
        <button
          key={columns}
          type="submit"
          role="menuitem"
          className="item"
          name="columns"
          value={columns}
        >
          <Icon name="export" />
          {columns === 'all' ? words.exportAll : words.exportCsv}
        </button>
      ))}
      {(['xlsx', 'json'] as const).map((format) => (
        <button
          key={format}
          type="submit"
          role="menuitem"
          className="item"
          name="format"
          value={format}
        >
          <Icon name="export" />
          {words.exportAs(format.toUpperCase())}
        </button>
      ))}
    </form>
  )
}
