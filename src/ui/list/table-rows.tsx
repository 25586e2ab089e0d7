/** The rows of a page. */

import { Fragment, memo, type ReactElement, type ReactNode, useContext, useMemo } from 'react'
import { fromQuery, recordHref } from '../../protocol/record-view.ts'
import {
  type Cell,
  type FoundAway,
  labelOfRow,
  type Marks,
  type Row,
  type RowFound,
} from '../../protocol/table-view.ts'
import { useMessages } from '../parts/use-messages.ts'
import { cellValue } from './cell-value.tsx'
import { cellAt, type DrawnColumn } from './drawn-columns.ts'
import { PickCell, type PickRow, useRangePick } from '../selection/pick-cells.tsx'
import type { Selection } from '../selection/use-selection.ts'
import { plainText } from '../parts/plain-text.tsx'
import { Icon } from '../parts/icon.tsx'
import { RowMarkupContext, type RowsView } from './row-markup-context.ts'
import { useDrawnRows } from './use-drawn-rows.ts'

export function TableRows(props: TableRowsProps) {
  const markup = useContext(RowMarkupContext)
  const messages = useMessages()
  if (!markup) return <BrowserRows {...props} />
  const { columns, view, selection } = props
  const { selection: _, ...without } = view
  const html = { __html: markup(columns, selection ? view : without, messages) }
  return <tbody role="rowgroup" dangerouslySetInnerHTML={html} />
}

function BrowserRows({ columns, view, question, isFirst, selection }: TableRowsProps) {
  const pick = useRangePick(view, selection)
  const { record, list } = useMessages()
  const look = useMemo(
    () => ({
      columns,
      heads: columns.map(({ column }) => column.name).join(),
      hrefOf: rowHrefs(view),
      isPickable: pickableIn(view),
      isMarked: markedIn(view),
      found: view.found,
    }),
    [columns, view],
  )
  const { drawn, isDrawing } = useDrawnRows({ rows: view.rows, look, question }, isFirst)
  return (
    <tbody
      role="rowgroup"
      aria-busy={isDrawing || undefined}
      // The room of rows that are still to be drawn, so that nothing moves when they come.
      style={isDrawing ? { minBlockSize: `calc(${drawn.length} * var(--room))` } : undefined}
    >
      {drawn.map(
        (one, place) =>
          one && (
            <TableRow
              key={one.id}
              row={one.row}
              columns={one.look.columns}
              {...rowPosition(place)}
              href={one.look.hrefOf(one.row, place)}
              mark={one.look.isMarked?.(one.row) ? record.deleted : undefined}
              menuOf={list.actionsOf}
              found={one.look.found?.[place]}
              ticks={
                selection &&
                (one.look.isPickable(place)
                  ? selection.isSelected(one.row[0])
                    ? 'on'
                    : 'off'
                  : 'none')
              }
              pick={pick}
            />
          ),
      )}
    </tbody>
  )
}

/** The first row that the browser need not draw while it is out of sight; see `table.css`. */
const FAR = 64

/** What the look of a row takes from its place on the page. */
export const rowPosition = (place: number) => ({ isEven: place % 2 === 1, isFar: place >= FAR })

type TableRowsProps = {
  columns: readonly DrawnColumn[]
  view: RowsView
  /** Names what the rows answer. */
  question: string
  /** Whether they are drawn at once when they first come: the page was opened with them. */
  isFirst: boolean
  /** `null` where rows cannot be selected. */
  selection: Selection | null
}

/** Whether a row can be selected by itself: one without a page has no key that leads back to it. */
export function pickableIn({ records }: RowsView) {
  const except = new Set(records?.except)
  return (place: number): boolean => !except.has(place)
}

/** Whether a row is marked as deleted; `undefined` where none is. */
export function markedIn({ markedKeys }: RowsView) {
  if (!markedKeys) return undefined
  const keys = new Set(markedKeys)
  return ([key]: Row): boolean => keys.has(key)
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
  isFar: boolean
  href: string | undefined
  /** What it says of a row that is marked as deleted. */
  mark: string | undefined
  /** Names the button of the menu of a row with a page. */
  menuOf(label: string): string
  /** Whether the row is ticked; `none` where it has no tick, `null` where no row has one. */
  ticks: 'on' | 'off' | 'none' | null
  pick: PickRow
  /** Where a search has found it. */
  found: RowFound | undefined
}

/** Drawn again only if its own data change: the client keeps the objects of rows that stay equal. */
const TableRow = memo(function TableRow({
  row,
  columns,
  href,
  mark,
  menuOf,
  found,
  ...frame
}: TableRowProps) {
  const label = labelOfRow(row)
  return (
    <RowFrame
      rowKey={row[0]}
      label={label}
      menu={href === undefined ? undefined : menuOf(label)}
      mark={mark}
      isFoundAway={found?.away !== undefined}
      {...frame}
    >
      {columns.map((drawn, at) =>
        tableCell({
          cell: cellAt(row, drawn.place),
          drawn,
          names: at === 0 ? { label, href, mark, away: found?.away } : undefined,
          found: found?.cells[drawn.place],
        }),
      )}
    </RowFrame>
  )
})

type RowFrameProps = Pick<TableRowProps, 'isEven' | 'isFar' | 'ticks' | 'pick' | 'mark'> & {
  rowKey: string
  label: string
  /** The name of the button of its menu; `undefined` where nothing can be done with it. */
  menu: string | undefined
  isFoundAway?: boolean
  children: ReactNode
}

export const RowFrame = ({
  rowKey,
  label,
  menu,
  isEven,
  isFar,
  ticks,
  pick,
  mark,
  isFoundAway,
  children,
}: RowFrameProps) => (
  <tr
    role="row"
    data-row-key={rowKey}
    data-parity={isEven ? 'even' : 'odd'}
    data-far={isFar || undefined}
    data-marked={mark !== undefined || undefined}
    data-found-away={isFoundAway || undefined}
    aria-selected={ticks === 'on' || undefined}
  >
    {ticks !== null && <PickCell rowKey={rowKey} label={label} ticks={ticks} pick={pick} />}
    {children}
    {menu === undefined ? (
      <td className="fill" aria-hidden="true" />
    ) : (
      <td role="cell" className="fill">
        <button
          type="button"
          className="rowmenu needs-script"
          // Each row would have one more step; the cells' own keys open it.
          tabIndex={-1}
          aria-label={menu}
          aria-haspopup="menu"
        />
      </td>
    )}
  </tr>
)

export type TableCellProps = {
  cell: Cell
  drawn: DrawnColumn
  /** For the first cell, which names the row: the row's label, and its page if it has one. */
  names?:
    | {
        label: string
        href: string | undefined
        mark?: string | undefined
        /** What a search has found of the row out of sight. */
        away?: readonly FoundAway[] | undefined
      }
    | undefined
  /** What a search has found in the cell. */
  found?: Marks | undefined
}

/** A cell as an element, with its column for a key. Not a component, for the same reason as `cellValue`. */
export function tableCell({ cell, drawn, names, found }: TableCellProps): ReactElement {
  const { column, className } = drawn
  const more = Array.isArray(cell) ? cell[1] : undefined
  const length = typeof more === 'number' ? more : undefined
  const isMoment = column.kind === 'datetime' && column.related === undefined && !column.paired
  const whole = isMoment && length === undefined ? more : undefined
  const facts = {
    ...{ className, 'data-unit': column.unit },
    ...{ 'data-length': length, 'data-whole': whole },
  }
  return names ? (
    <th key={column.name} scope="row" role="rowheader" {...facts} data-marked={names.mark}>
      {rowName({ cell, drawn, found, ...names })}
      {names.away && foundAway(names.away)}
    </th>
  ) : (
    <td key={column.name} role="cell" {...facts}>
      {cellValue({ cell, drawn, found })}
    </td>
  )
}

type RowNameProps = {
  cell: Cell
  drawn: DrawnColumn
  /** Labels the link if the cell is empty. */
  label: string
  href: string | undefined
  mark?: string | undefined
  found: Marks | undefined
}

/** The first cell links to the row, even if its value has a link of its own. */
function rowName({ cell, drawn, label, href, mark, found }: RowNameProps): ReactNode {
  const sign = mark !== undefined && <DeletedSign />
  if (href === undefined)
    return (
      <>
        {sign}
        {cellValue({ cell, drawn, found })}
      </>
    )
  const isAbsent = cell === null || cell === '' || cell === 0
  return (
    <a className="row-link" href={href} aria-label={isAbsent ? label : undefined}>
      {sign}
      {cellValue({ cell, drawn, isPlain: true, found })}
    </a>
  )
}

/** Where else a search has found the row, under its name. */
const foundAway = (away: readonly FoundAway[]) => (
  <span className="found-away">
    {away.map(({ where, text, marks }) => (
      <Fragment key={where}>
        {' '}
        <b>{where}</b> {plainText(text, false, marks)}
      </Fragment>
    ))}
  </span>
)

/** What it stands for is read out with the name. */
const DeletedSign = () => (
  <span className="sign">
    <Icon name="deleted" />
  </span>
)
