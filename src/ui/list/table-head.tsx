/** The heads of the columns; sortable ones are buttons of a form. */

import type { MouseEvent, ReactNode } from 'react'
import type { ColumnView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useLoading } from '../../react/use-loading.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { DrawnColumn } from './drawn-columns.ts'
import { Shown } from '../parts/plain-text.tsx'

/** Id of the form that every sort button submits. */
export const SORT_FORM = 'sort-form'

export type Sort = (column: string, add: boolean) => void

type TableHeadProps = {
  /** Id of the listing. */
  component: string
  columns: readonly DrawnColumn[]
  /** The order takes no further column; the heads of unsorted ones say so. */
  isFull: boolean
  sort: Sort
  /** Whether rows have menus, the buttons of which stand in the last cell. Default: false. */
  hasMenus?: boolean
  /** The tick for the page, where rows can be selected. */
  pick: ReactNode
}

export function TableHead(props: TableHeadProps) {
  const { list } = useMessages()
  /** Why a click on the head does not sort, or by what, if that needs an explanation. */
  const noteOf = ({ unsortable, sortNote, sorted }: ColumnView) =>
    unsortable ?? (props.isFull && !sorted ? list.orderFull : sortNote)
  const isSeveral = props.columns.filter(({ column }) => column.sorted).length > 1
  return (
    <thead role="rowgroup">
      <tr role="row">
        {props.pick}
        {props.columns.map(({ column, className }) => (
          <th
            key={column.name}
            scope="col"
            role="columnheader"
            className={className}
            data-column={column.name}
            aria-sort={column.sorted?.direction}
            data-note={noteOf(column)}
            data-help={column.help}
            data-previewed={column.previewed}
            // Lets the keyboard reach the tooltip of a head that has no button.
            tabIndex={
              column.sortValue === undefined && (column.help || noteOf(column)) ? 0 : undefined
            }
          >
            <ColumnHead
              component={props.component}
              column={column}
              isSeveral={isSeveral}
              sort={props.sort}
            />
          </th>
        ))}
        {props.hasMenus ? (
          <td role="columnheader" className="fill">
            <span className="sr">{list.actions}</span>
          </td>
        ) : (
          <td className="fill" aria-hidden="true" />
        )}
      </tr>
    </thead>
  )
}

type ColumnHeadProps = Pick<TableHeadProps, 'component' | 'sort'> & {
  column: ColumnView
  isSeveral: boolean
}

function ColumnHead({ component, column, isSeveral, sort }: ColumnHeadProps) {
  const isSorting = useLoading<TableComponent>(component, {
    action: 'sortBy',
    args: [column.name],
    delay: 'short',
  })
  if (column.sortValue === undefined) return <HeadText column={column} />
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) return
    event.preventDefault()
    sort(column.name, event.shiftKey)
  }
  return (
    <button
      type="submit"
      form={SORT_FORM}
      name="sort"
      value={column.sortValue}
      aria-busy={isSorting || undefined}
      onClick={onClick}
    >
      <HeadText column={column} />
      {column.sorted && <Icon name={column.sorted.direction === 'ascending' ? 'up' : 'down'} />}
      {column.sorted && isSeveral && <sup aria-hidden="true">{column.sorted.place}</sup>}
    </button>
  )
}

const HeadText = ({ column: { label, unit, zone = unit } }: { column: ColumnView }) => (
  <span className="name">
    <Shown text={label} />
    {zone && (
      <>
        {' '}
        <span className="unit">{zone}</span>
      </>
    )}
  </span>
)
