/** The heads of the columns; those that can be sorted by are buttons of a form. */

import type { MouseEvent } from 'react'
import type { ColumnView } from '../../protocol/table-view.ts'
import { Icon } from '../parts/icon.tsx'
import type { DrawnColumn } from './drawn-columns.ts'

/** Id of the form that every sort button submits. */
export const SORT_FORM = 'sort-form'

export type Sort = (column: string, add: boolean) => void

export function TableHead(props: { columns: readonly DrawnColumn[]; sort: Sort }) {
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

const HeadText = ({ column }: { column: ColumnView }) => (
  <>
    <span className="name">{column.label}</span>
    {column.unit && (
      <>
        {' '}
        <span className="unit">{column.unit}</span>
      </>
    )}
  </>
)
