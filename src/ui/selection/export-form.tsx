/** Exports the selected rows, or all that match: a form, so that the browser saves the file. */

import { type SyntheticEvent, useRef } from 'react'
import { isNone, type Selected } from '../../protocol/selection.ts'
import type { TableComponent, TableView } from '../../protocol/table-view.ts'
import { useComponent, usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

type ExportFormProps = {
  /** Id of the listing. */
  component: string
  view: TableView
  selected: Selected
  /** Default: none. */
  id?: string
}

/** Two items of a menu: the columns that are shown, or all. */
export function ExportForm({ component, view, selected, id }: ExportFormProps) {
  const { selection: words } = useMessages()
  const { csrf } = usePage()
  const check = useExportCheck(component, selected)
  const query = new URLSearchParams(view.params).toString()
  return (
    <form
      id={id}
      method="post"
      action={`${view.href}/export${query && `?${query}`}`}
      onSubmit={check}
    >
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
    </form>
  )
}

/** Asks first, so that the page itself says why there is no file, where that is known beforehand. */
function useExportCheck(component: string, selected: Selected) {
  const { call } = useComponent<TableComponent>(component)
  const isChecked = useRef(false)
  return (event: SyntheticEvent<HTMLFormElement, SubmitEvent>) => {
    const { currentTarget: form } = event
    const { submitter } = event.nativeEvent
    form.closest<HTMLElement>('[popover]')?.hidePopover()
    if (isChecked.current) return void (isChecked.current = false)
    event.preventDefault()
    const submit = () => {
      isChecked.current = true
      form.requestSubmit(submitter)
    }
    // The page's failure display says what went wrong.
    call.checkExport(selected).then(submit, () => undefined)
  }
}
