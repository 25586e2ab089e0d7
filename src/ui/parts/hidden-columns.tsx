/** Columns that are hidden from everybody, for administrators: their names, why, and how to show one. */

import type { HiddenColumnView, TableView } from '../../protocol/table-view.ts'
import { useMessages } from './use-messages.ts'
import { Shown } from './plain-text.tsx'

type Props = { readonly table: string; readonly columns: NonNullable<TableView['hidden']> }

export function HiddenColumns({ table, columns }: Props) {
  const { list } = useMessages()
  const title = list.hidden(String(columns.length))
  return (
    <section className="hidden-columns" aria-label={title}>
      <h2 className="cap">{title}</h2>
      <p>{list.hiddenNote}</p>
      {columns.map((column) => (
        <HiddenColumn key={column.name} table={table} column={column} />
      ))}
    </section>
  )
}

function HiddenColumn({ table, column }: { table: string; column: HiddenColumnView }) {
  const { list } = useMessages()
  return (
    <details>
      <summary>
        <code>
          <Shown text={column.name} />
        </code>{' '}
        <Shown text={column.why} />
      </summary>
      <p>{list.hiddenText}</p>
      <pre tabIndex={0}>{linesFor(table, column.name)}</pre>
    </details>
  )
}

/** The lines of a configuration that show the column. */
const linesFor = (table: string, column: string): string => `tables: {
  ${property(table)}: {
    columns: {
      ${property(column)}: { hidden: false },
    },
  },
},`

const property = (name: string): string =>
  /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? name : JSON.stringify(name)
