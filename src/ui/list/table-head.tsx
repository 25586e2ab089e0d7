/** The heads of the columns; sortable ones are buttons of a form. */

import type { MouseEvent } from 'react'
import type { ColumnView } from '../../protocol/table-view.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { DrawnColumn } from './drawn-columns.ts'

/** Id of the form that every sort button submits. */
export const SORT_FORM = 'sort-form'

export type Sort = (column: string, add: boolean) => void

type TableHeadProps = {
  columns: readonly DrawnColumn[]
  /** The order takes no further column; the heads of unsorted ones say so. */
  isFull: boolean
  sort: Sort
}

export function TableHead(props: TableHeadProps) {
  const { list } = useMessages()
  /** Why a click on the head does not sort, if that needs an explanation. */
  const noteOf = ({ kind, sortValue, sorted }: ColumnView) => {
    if (sortValue === undefined) return kind === 'relation' ? list.orderByName : undefined
    return props.isFull && !sorted ? list.orderFull : undefined
  }
  const isSeveral = props.columns.filter(({ column }) => column.sorted).length > 1
  return (
    <thead role="rowgroup">
      <tr role="row">
        {props.columns.map(({ column, className }) => (
          <th
            key={column.name}
            scope="col"
            role="columnheader"
            className={className}
            aria-sort={column.sorted?.direction}
            data-note={noteOf(column)}
            data-help={column.help}
            // Lets the keyboard reach the tooltip of a head that has no button.
            tabIndex={
              column.sortValue === undefined && (column.help || noteOf(column)) ? 0 : undefined
            }
          >
            <ColumnHead column={column} isSeveral={isSeveral} sort={props.sort} />
          </th>
        ))}
        <td className="fill" aria-hidden="true" />
      </tr>
    </thead>
  )
}

function ColumnHead(props: { column: ColumnView; isSeveral: boolean; sort: Sort }) {
  const { column, isSeveral, sort } = props
  if (column.sortValue === undefined) return <HeadText column={column} />
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) return
    event.preventDefault()
    sort(column.name, event.shiftKey)
  }
  return (
    <button type="submit" form={SORT_FORM} name="sort" value={column.sortValue} onClick={onClick}>
      <HeadText column={column} />
      {column.sorted && <Icon name={column.sorted.direction === 'ascending' ? 'up' : 'down'} />}
      {column.sorted && isSeveral && <sup aria-hidden="true">{column.sorted.place}</sup>}
    </button>
  )
}

const HeadText = ({ column: { label, unit } }: { column: ColumnView }) => (
  <span className="name">
    {label}
    {unit && (
      <>
        {' '}
        <span className="unit">{unit}</span>
      </>
    )}
  </span>
)
