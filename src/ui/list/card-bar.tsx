/** Replaces the column heads where rows are cards: the order in words, and a menu to change it. */

import type { MouseEvent } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useLoading } from '../../react/use-loading.ts'
import { Icon } from '../parts/icon.tsx'
import { SheetHead } from '../parts/sheet-head.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { type Sort, SORT_FORM } from './table-head.tsx'
import { Shown } from '../parts/plain-text.tsx'

type CardBarProps = { component: string; view: TableView; sort: Sort }

const MENU_ID = 'sort-menu'

/** `component`: id of the listing. */
export function CardBar({ component, view, sort }: CardBarProps) {
  const { list } = useMessages()
  const isSorting = useLoading<TableComponent>(component, { action: 'sortBy', delay: 'short' })
  const onClick = (event: MouseEvent, column: string) => {
    event.preventDefault()
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    sort(column, false)
  }
  return (
    <div className="cardbar">
      <span className="name">
        <Shown text={view.sortText} />
      </span>
      <button
        type="button"
        className="plain"
        popoverTarget={MENU_ID}
        aria-busy={isSorting || undefined}
      >
        {list.sort}
      </button>
      <div id={MENU_ID} className="menu below" popover="auto" role="dialog" aria-label={list.sort}>
        <SheetHead title={list.sort} closes={MENU_ID} />
        {view.columns.map(
          ({ name, label, sortValue, sorted }) =>
            sortValue !== undefined && (
              <button
                key={name}
                type="submit"
                className="item"
                aria-current={!!sorted || undefined}
                form={SORT_FORM}
                name="sort"
                value={sortValue}
                onClick={(event) => onClick(event, name)}
              >
                <span className="name">
                  <Shown text={label} />
                </span>
                {sorted && (
                  <span className="end">
                    <Icon name={sorted.direction === 'ascending' ? 'up' : 'down'} />
                  </span>
                )}
              </button>
            ),
        )}
      </div>
      {view.unordered !== undefined && <p>{view.unordered}</p>}
      {view.slow !== null && <p>{view.slow}</p>}
    </div>
  )
}
