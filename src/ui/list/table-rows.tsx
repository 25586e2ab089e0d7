/** The rows of a page. */

import { memo, type ReactElement, type ReactNode, useContext } from 'react'
import { fromQuery, recordHref } from '../../protocol/record-view.ts'
import { type Cell, labelOfRow, type Row } from '../../protocol/table-view.ts'
import { useMessages } from '../parts/use-messages.ts'
import { cellValue } from './cell-value.tsx'
import { cellAt, type DrawnColumn } from './drawn-columns.ts'
import { PickCell, type PickRow, useRangePick } from '../selection/pick-cells.tsx'
import type { Selection } from '../selection/use-selection.ts'
import { RowMarkupContext, type RowsView } from './row-markup-context.ts'
import { type DrawnRows, useDrawnRows } from './use-drawn-rows.ts'

export function TableRows({ columns, view, question, selection }: TableRowsProps) {
  const pick = useRangePick(view, selection)
  const markup = useContext(RowMarkupContext)
  const messages = useMessages()
  const rows = useDrawnRows(view.rows, question)
  const isDrawing = rows !== view.rows
  if (markup) {
    const { selection: _, ...without } = view
    const html = { __html: markup(columns, selection ? view : without, messages) }
    return <tbody role="rowgroup" dangerouslySetInnerHTML={html} />
  }
  const hrefOf = rowHrefs(view)
  const isPickable = pickableIn(view)
  return (
    <tbody
      role="rowgroup"
      aria-busy={isDrawing || undefined}
      style={isDrawing ? { minBlockSize: roomOf(rows.length) } : undefined}
    >
      {rows.map(
        (row, place) =>
          row && (
            <TableRow
              key={view.records ? row[0] : place}
              row={row}
              columns={columns}
              isEven={place % 2 === 1}
              href={hrefOf(row, place)}
              ticks={
                selection &&
                (isPickable(place) ? (selection.isSelected(row[0]) ? 'on' : 'off') : 'none')
              }
              pick={pick}
              missing={missingBefore(rows, place)}
            />
          ),
      )}
    </tbody>
  )
}

/** The room of rows that are still to be drawn, so that nothing moves when they come. */
const roomOf = (count: number) => `calc(${count} * var(--room))`

/** How many rows directly before that place are still to be drawn. */
function missingBefore(rows: DrawnRows, place: number): number {
  let missing = 0
  while (rows[place - missing - 1] === null) missing++
  return missing
}

type TableRowsProps = {
  columns: readonly DrawnColumn[]
  view: RowsView
  /** Names what the rows answer. */
  question: string
  /** `null` where rows cannot be selected. */
  selection: Selection | null
}

/** Whether a row can be selected by itself: one without a page has no key that leads back to it. */
export function pickableIn({ records }: RowsView) {
  const except = new Set(records?.except)
  return (place: number): boolean => !except.has(place)
}

/** Returns the address of each row's page; `undefined` for rows that have none. */
export function rowHrefs({ records, href }: RowsView) {
  const except = new Set(records?.except)
  const query = fromQuery(records?.from ?? '')
  return (row: Row, place: number): string | undefined =>
    records && !except.has(place) ? recordHref(href, row[0], query) : undefined
}

type TableRowProps = {
  row: Row
  columns: readonly DrawnColumn[]
  isEven: boolean
  href: string | undefined
  /** Whether the row is ticked; `none` where it has no tick, `null` where no row has one. */
  ticks: 'on' | 'off' | 'none' | null
  pick: PickRow
  /** How many rows before it are still to be drawn. */
  missing: number
}

/** Drawn again only if its own data change: the client keeps the objects of rows that stay equal. */
const TableRow = memo(({ row, columns, href, ...frame }: TableRowProps) => (
  <RowFrame rowKey={row[0]} label={labelOfRow(row)} {...frame}>
    {columns.map((drawn, at) =>
      tableCell({
        cell: cellAt(row, drawn.place),
        drawn,
        names: at === 0 ? { label: labelOfRow(row), href } : undefined,
      }),
    )}
  </RowFrame>
))
TableRow.displayName = 'TableRow'

type RowFrameProps = Pick<TableRowProps, 'isEven' | 'ticks' | 'pick' | 'missing'> & {
  rowKey: string
  label: string
  children: ReactNode
}

export const RowFrame = ({
  rowKey,
  label,
  isEven,
  ticks,
  pick,
  missing,
  children,
}: RowFrameProps) => (
  <tr
    role="row"
    data-row-key={rowKey}
    data-parity={isEven ? 'even' : 'odd'}
    aria-selected={ticks === 'on' || undefined}
    style={missing > 0 ? { marginBlockStart: roomOf(missing) } : undefined}
  >
    {ticks !== null && <PickCell rowKey={rowKey} label={label} ticks={ticks} pick={pick} />}
    {children}
    <td className="fill" aria-hidden="true" />
  </tr>
)

export type TableCellProps = {
  cell: Cell
  drawn: DrawnColumn
  /** For the first cell, which names the row: the row's label, and its page if it has one. */
  names?: { label: string; href: string | undefined } | undefined
}

/** A cell as an element, with its column for a key. Not a component, for the same reason as `cellValue`. */
export function tableCell({ cell, drawn, names }: TableCellProps): ReactElement {
  const { column, className } = drawn
  const length = Array.isArray(cell) && typeof cell[1] === 'number' ? cell[1] : undefined
  const facts = { className, 'data-unit': column.unit, 'data-length': length }
  return names ? (
    <th key={column.name} scope="row" role="rowheader" {...facts}>
      {rowName({ cell, drawn, ...names })}
    </th>
  ) : (
    <td key={column.name} role="cell" {...facts}>
      {cellValue({ cell, drawn })}
    </td>
  )
}

type RowNameProps = {
  cell: Cell
  drawn: DrawnColumn
  /** Labels the link if the cell is empty. */
  label: string
  href: string | undefined
}

/** The first cell links to the row, even if its value has a link of its own. */
function rowName({ cell, drawn, label, href }: RowNameProps): ReactNode {
  if (href === undefined) return cellValue({ cell, drawn })
  const isAbsent = cell === null || cell === '' || cell === 0
  return (
    <a className="row-link" href={href} aria-label={isAbsent ? label : undefined}>
      {cellValue({ cell, drawn, isPlain: true })}
    </a>
  )
}
