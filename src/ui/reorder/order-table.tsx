/** The rows in their order, each with a handle; moved ones show the old place beside the new one. */

import { type KeyboardEvent, memo, type PointerEvent, type RefObject, useMemo } from 'react'
import type { ReorderMode } from '../../protocol/reorder.ts'
import { labelOfRow, type Row, type TableView } from '../../protocol/table-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useKinds } from '../kinds/kinds-context.tsx'
import { columnTracks, useTracks } from '../list/column-tracks.ts'
import { cellAt, type DrawnColumn, drawnColumns } from '../list/drawn-columns.ts'
import { rowHrefs, tableCell } from '../list/table-rows.tsx'
import { useColumnWidths } from '../list/use-column-widths.ts'
import { Grip } from './grip.tsx'
import { Shown } from '../parts/plain-text.tsx'
import type { PlacedRow } from './moves.ts'
import type { Order } from './use-order.ts'
import { say } from '../parts/say.ts'

export type Handle = {
  press(row: PlacedRow, event: PointerEvent<HTMLElement>): void
  onKey(row: PlacedRow, event: KeyboardEvent<HTMLElement>): void
  onBlur(row: PlacedRow): void
  open(row: PlacedRow): void
}

/** The width of the handles, rem; see `.c-grip` in `reorder.css`. */
const GRIP_REM = 2.5

type OrderTableProps = {
  ref: RefObject<HTMLTableElement | null>
  component: string
  view: TableView
  order: Order
  mode: ReorderMode
  liftedKey: string | undefined
  handle: Handle
}

export function OrderTable({
  ref,
  component,
  view,
  order,
  mode,
  liftedKey,
  handle,
}: OrderTableProps) {
  const kinds = useKinds()
  const { words } = mode
  const { columns: views } = view
  const { rows, except, start } = order.page
  const shown = useMemo(() => ({ ...view, rows }), [view, rows])
  const widths = useColumnWidths(shown, kinds, null)
  const columns = useMemo(() => drawnColumns({ columns: views }, kinds), [views, kinds])
  useTracks(ref, component, columnTracks(views, widths, GRIP_REM))
  const hrefOf = rowHrefs({
    ...shown,
    ...(view.records && { records: { ...view.records, except } }),
  })
  const moves = new Map(order.moves.map((move) => [move.key, move]))
  return (
    <table
      ref={ref}
      className="tw ordering"
      role="table"
      aria-label={view.label}
      data-component={component}
    >
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader" className="c-grip">
            <span className="sr">{words['column']}</span>
          </th>
          {columns.map(({ column, place, className }) => (
            <th
              key={column.name}
              scope="col"
              role="columnheader"
              className={className}
              aria-sort={place === mode.place ? 'ascending' : undefined}
            >
              <span className="name">
                <Shown text={column.label} />
                {(column.zone ?? column.unit) && place !== mode.place && (
                  <>
                    {' '}
                    <span className="unit">{column.zone ?? column.unit}</span>
                  </>
                )}
              </span>
            </th>
          ))}
          <td className="fill" aria-hidden="true" />
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, at) => (
          <OrderRow
            key={row[0]}
            row={row}
            rank={start + at + 1}
            was={moves.get(row[0])?.from}
            isLifted={row[0] === liftedKey}
            href={hrefOf(row, at)}
            columns={columns}
            mode={mode}
            handle={handle}
          />
        ))}
      </tbody>
    </table>
  )
}

type OrderRowProps = {
  row: Row
  /** Its place in the whole order. */
  rank: number
  /** Its stored place, if it was moved. */
  was: number | undefined
  isLifted: boolean
  href: string | undefined
  columns: readonly DrawnColumn[]
  mode: ReorderMode
  handle: Handle
}

function OrderRow({ row, rank, was, isLifted, href, columns, mode, handle }: OrderRowProps) {
  const { words } = mode
  const placed = { key: row[0], label: labelOfRow(row), rank }
  const looks = [was !== undefined && 'moved', isLifted && 'up'].filter(Boolean).join(' ')
  return (
    <tr
      role="row"
      data-row-key={row[0]}
      data-parity={rank % 2 === 0 ? 'even' : 'odd'}
      className={looks || undefined}
    >
      <td role="cell" className="c-grip">
        <button
          type="button"
          className="grip"
          aria-label={say(words['move'], placed.label)}
          aria-pressed={isLifted}
          aria-keyshortcuts="Space T B G"
          onPointerDown={(event) => handle.press(placed, event)}
          onKeyDown={(event) => handle.onKey(placed, event)}
          // Space lifts when it is pressed, and must not click when it is released.
          onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
          onBlur={() => handle.onBlur(placed)}
          onClick={() => handle.open(placed)}
        >
          <Grip />
        </button>
      </td>
      <Cells {...{ row, columns, href, rank, was, mode }} />
      <td className="fill" aria-hidden="true" />
    </tr>
  )
}

type CellsProps = Pick<OrderRowProps, 'row' | 'columns' | 'href' | 'rank' | 'was' | 'mode'>

/** Drawn again only if the row itself changes, not while a handle is used. */
const Cells = memo(({ row, columns, href, rank, was, mode }: CellsProps) =>
  columns.map((drawn, at) =>
    drawn.place === mode.place && at > 0 ? (
      <Place key={drawn.column.name} {...{ rank, was, mode }} className={drawn.className} />
    ) : (
      tableCell({
        cell: cellAt(row, drawn.place),
        drawn,
        names: at === 0 ? { label: labelOfRow(row), href } : undefined,
      })
    ),
  ),
)
Cells.displayName = 'Cells'

type PlaceProps = Pick<OrderRowProps, 'rank' | 'was' | 'mode'> & { className: string }

/** The place in the order, instead of the number that stores it. */
function Place({ rank, was, mode, className }: PlaceProps) {
  const { locale } = usePage()
  return (
    <td role="cell" className={`${className} c-pos num`}>
      {was !== undefined && (
        <s>
          <span className="sr">{mode.words['was']} </span>
          {was.toLocaleString(locale)}
        </s>
      )}
      {rank.toLocaleString(locale)}
    </td>
  )
}
