/** Exports the selected rows, or all that match: a form, so that the browser saves the file. */

import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'
import { isNone, type Selected } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { laterPart } from '../later-part.tsx'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

const ExportDialog = laterPart(async () => (await import('./export-dialog.tsx')).ExportDialog)

type ExportFormProps = {
  view: TableView
  selected: Selected
  /** Default: none. */
  id?: string
}

/** Items of a menu: CSV of the shown columns, and a dialog for everything else; without script, each by itself. */
export function ExportForm({ view, selected, id }: ExportFormProps) {
  const { selection: words } = useMessages()
  const { csrf } = usePage()
  const [isAsking, setAsking] = useState(false)
  const query = new URLSearchParams(view.params).toString()
  const action = `${view.href}/export${query && `?${query}`}`
  const rows = (
    <>
      <input type="hidden" name="_token" value={csrf} />
      {!isNone(selected) && (
        <input type="hidden" name="selected" value={JSON.stringify(selected)} />
      )}
    </>
  )
  return (
    <>
      <form id={id} method="post" action={action} data-exports="">
        {rows}
        <Item name="columns" value="shown">
          {words.exportCsv}
        </Item>
        <button
          type="button"
          role="menuitem"
          className="item needs-script"
          onClick={({ currentTarget }) => {
            currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
            setAsking(true)
          }}
        >
          <Icon name="export" />
          {words.exportOther}
        </button>
        <noscript>
          <Item name="columns" value="all">
            {words.exportAll}
          </Item>
          {(['xlsx', 'json'] as const).map((format) => (
            <Item key={format} name="format" value={format}>
              {words.exportAs(format.toUpperCase())}
            </Item>
          ))}
        </noscript>
      </form>
      {isAsking &&
        createPortal(
          // The menu, which is closed by now, must not take the dialog's arrow keys for its own.
          <div onKeyDown={(event) => event.stopPropagation()}>
            <ExportDialog
              action={action}
              isSome={!isNone(selected)}
              onClose={() => setAsking(false)}
            >
              {rows}
            </ExportDialog>
          </div>,
          document.body,
        )}
    </>
  )
}

type ItemProps = { name: string; value: string; children: ReactNode }

const Item = ({ name, value, children }: ItemProps) => (
  <button type="submit" role="menuitem" className="item" name={name} value={value}>
    <Icon name="export" />
    {children}
  </button>
)
