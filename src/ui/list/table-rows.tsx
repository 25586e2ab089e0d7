/** The rows of a page, and the sums under them. */

import { recordHref } from '../../protocol/record-view.ts'
import type { Cell, Row, TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import { CellValue } from './cell-value.tsx'
import { cellAt, type DrawnColumn } from './drawn-columns.ts'

export function TableRows({ columns, view }: TableRowsProps) {
  const { rows, records, href } = view
  const except = new Set(records?.except)
  const isOpenable = (place: number) => records !== undefined && !except.has(place)
  return (
    <tbody role="rowgroup">
      {rows.map((row, place) => (
        <TableRow
          key={row[0]}
          row={row}
          columns={columns}
          isEven={place % 2 === 1}
          href={isOpenable(place) ? recordHref(href, row[0], records?.query ?? '') : undefined}
        />
      ))}
    </tbody>
  )
}

type TableRowsProps = {
  columns: readonly DrawnColumn[]
  view: Pick<TableView, 'rows' | 'records' | 'href'>
}

type TableRowProps = {
  row: Row
  columns: readonly DrawnColumn[]
  isEven: boolean
  /** The row's own page, where it has one. */
  href: string | undefined
}

const TableRow = ({ row, columns, isEven, href }: TableRowProps) => (
  <tr role="row" data-row-key={row[0]} data-parity={isEven ? 'even' : 'odd'}>
    {columns.map(({ column, place, className }, drawn) => {
      const cell = cellAt(row, place)
      const length = Array.isArray(cell) && typeof cell[1] === 'number' ? cell[1] : undefined
      const facts = { className, 'data-unit': column.unit, 'data-length': length }
      return drawn === 0 ? (
        <th key={column.name} scope="row" role="rowheader" {...facts}>
          <RowName cell={cell} column={column} href={href} name={row[1]} />
        </th>
      ) : (
        <td key={column.name} role="cell" {...facts}>
          <CellValue cell={cell} column={column} />
        </td>
      )
    })}
    <td className="fill" aria-hidden="true" />
  </tr>
)

type RowNameProps = {
  cell: Cell
  column: DrawnColumn['column']
  href: string | undefined
  /** What the row is called, for a cell that shows nothing. */
  name: string
}

/** The first cell leads to the row, whatever else it might lead to. */
function RowName({ cell, column, href, name }: RowNameProps) {
  if (href === undefined) return <CellValue cell={cell} column={column} />
  const isAbsent = cell === null || cell === '' || cell === 0
  return (
    <a className="row-link" href={href} aria-label={isAbsent ? name : undefined}>
      <CellValue cell={cell} column={column} isPlain />
    </a>
  )
}

/** Sums or means of the page; nothing where no column has any. */
export function TableSums({ view, columns }: { view: TableView; columns: readonly DrawnColumn[] }) {
  const { list } = useMessages()
  const { locale } = usePage()
  if (!view.sums || view.sums.length === 0) return null
  const sums = new Map(view.sums.map((sum) => [sum.place, sum]))
  return (
    <tfoot role="rowgroup">
      <tr role="row">
        {columns.map(({ column, place, className }, drawn) => {
          const sum = sums.get(place)
          return (
            <td key={column.name} role="cell" className={className}>
              {sum && (
                <>
                  <span className="sr">{list[sum.kind]} </span>
                  <span className="muted" aria-hidden="true">
                    {sum.kind === 'sum' ? 'Σ' : 'ø'}{' '}
                  </span>
                  {sum.text}
                </>
              )}
              {!sum && drawn === 0 && list.onPage(view.rows.length.toLocaleString(locale))}
            </td>
          )
        })}
        <td className="fill" aria-hidden="true" />
      </tr>
    </tfoot>
  )
}
