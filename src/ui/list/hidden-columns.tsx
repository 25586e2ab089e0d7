/** Columns that are hidden from everybody, for administrators: their names, why, and how to show one. */

import type { HiddenColumnView, TableView } from '../../protocol/table-view.ts'
import { useMessages } from '../parts/use-messages.ts'

type Props = { readonly table: string; readonly columns: NonNullable<TableView['hidden']> }

export function HiddenColumns({ table, columns }: Props) {
  const { list } = useMessages()
  return (
    <section className="hidden-columns">
      <h2 className="cap">{list.hidden(String(columns.length))}</h2>
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
        <code>{column.name}</code> <span>{column.why}</span>
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
