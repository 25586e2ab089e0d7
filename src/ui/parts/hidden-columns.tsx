/** Columns that are hidden from everybody, for administrators: their names, why, and how to show one. */

import type { HiddenColumnView, HiddenView } from '../../protocol/table-view.ts'
import { Shown } from './plain-text.tsx'

type Props = { readonly table: string; readonly hidden: HiddenView }

export function HiddenColumns({ table, hidden: { title, note, text, columns } }: Props) {
  return (
    <section className="hidden-columns" aria-label={title}>
      <h2 className="cap">{title}</h2>
      <p>{note}</p>
      {columns.map((column) => (
        <HiddenColumn key={column.name} {...{ table, text, column }} />
      ))}
    </section>
  )
}

type ColumnProps = {
  readonly table: string
  readonly text: string
  readonly column: HiddenColumnView
}

function HiddenColumn({ table, text, column }: ColumnProps) {
  return (
    <details>
      <summary>
        <code>
          <Shown text={column.name} />
        </code>{' '}
        <Shown text={column.why} />
      </summary>
      <p>{text}</p>
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
