/** The rows of a page, and the sums under them. */

import type { Row, TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import { CellValue } from './cell-value.tsx'
import { cellAt, type DrawnColumn } from './drawn-columns.ts'

export const TableRows = (props: { columns: readonly DrawnColumn[]; rows: readonly Row[] }) => (
  <tbody role="rowgroup">
    {props.rows.map((row, place) => (
      <TableRow key={row[0]} row={row} columns={props.columns} isEven={place % 2 === 1} />
    ))}
  </tbody>
)

type TableRowProps = { row: Row; columns: readonly DrawnColumn[]; isEven: boolean }

const TableRow = ({ row, columns, isEven }: TableRowProps) => (
  <tr role="row" data-row-key={row[0]} data-parity={isEven ? 'even' : 'odd'}>
    {columns.map(({ column, place, className }, drawn) => {
      const cell = cellAt(row, place)
      const value = <CellValue cell={cell} column={column} />
      const length = Array.isArray(cell) && typeof cell[1] === 'number' ? cell[1] : undefined
      const facts = { className, 'data-unit': column.unit, 'data-length': length }
      return drawn === 0 ? (
        <th key={column.name} scope="row" role="rowheader" {...facts}>
          {value}
        </th>
      ) : (
        <td key={column.name} role="cell" {...facts}>
          {value}
        </td>
      )
    })}
    <td className="fill" aria-hidden="true" />
  </tr>
)

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
