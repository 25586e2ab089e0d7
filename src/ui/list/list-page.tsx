/** The list page: one table, its search, its order and its pages. */

import { useCallback, useEffect, useRef, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useKeys } from '../parts/use-keys.ts'
import { useMessages } from '../parts/use-messages.ts'
import { ActiveFilters } from './active-filters.tsx'
import { CardBar } from './card-bar.tsx'
import { DataTable } from './data-table.tsx'
import { DISPLAY_ID, DisplayMenu } from './display-menu.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListHead } from './list-head.tsx'
import { NoRows } from './no-rows.tsx'
import { SEARCH_ID, SearchBox } from './search-box.tsx'
import { type Sort, SORT_FORM } from './table-head.tsx'
import { focusCell, focusedPlace, moveByKey, moveInTable } from './table-keys.ts'
import { Tooltip } from './tooltip.tsx'
import { rangeText, totalText } from './total-text.ts'
import { type ListingActions, type Listing, useListing } from './use-listing.ts'
import { useRestoreFocus } from './restore-focus.ts'

/** Draws the listing whose component has the id `component`. */
export function ListPage({ component }: { component: string }) {
  const listing = useListing(component)
  const { view, actions } = listing
  const { list } = useMessages()
  const notify = useNotify()
  const sort = useCallback<Sort>(
    (column, add) =>
      void actions.sortBy(column, add).then((had) => had === false && notify(list.orderFull)),
    [actions, notify, list],
  )
  return (
    <>
      <ListHead view={view} />
      <ListBar listing={listing} />
      {listing.errors.length > 0 && (
        <p className="stripe bad" role="alert">
          <Icon name="warning" />
          {listing.errors.join(' ')}
        </p>
      )}
      <ActiveFilters view={view} actions={actions} />
      {view.rows.length > 0 && <CardBar view={view} sort={sort} />}
      <form id={SORT_FORM} action={view.href} hidden>
        <HiddenInputs params={view.params} except="sort" />
      </form>
      <div className={listing.isWaiting ? 'rows stale' : 'rows'} aria-busy={listing.isWaiting}>
        {listing.isWaiting && (
          <span className="progress" role="progressbar" aria-label={list.loading} />
        )}
        <Rows listing={listing} sort={sort} />
      </div>
      <ListFoot view={view} actions={actions} />
      <Announcement view={view} />
    </>
  )
}

function ListBar({ listing }: { listing: Listing }) {
  const { view, actions } = listing
  const { list } = useMessages()
  return (
    <div className="bar">
      <p className="order">
        <span>{view.sortText}</span>
        {view.unordered !== undefined && <span className="slow muted">{view.unordered}</span>}
        {view.slow !== null && (
          <span className="slow muted">
            {view.slow} {view.advice !== null && <code>{view.advice}</code>}
          </span>
        )}
      </p>
      <div className="tools" role="group" aria-label={list.tools}>
        <SearchBox listing={listing} />
        <DisplayMenu view={view} actions={actions} />
      </div>
    </div>
  )
}

function Rows({ listing: { view, actions, search }, sort }: { listing: Listing; sort: Sort }) {
  const { list } = useMessages()
  const scroller = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  useTopOfPage(scroller, view)
  useListKeys(table, view, actions)
  useRestoreFocus(table)
  if (view.rows.length === 0)
    return (
      <NoRows
        view={view}
        search={search}
        turn={(place) => void actions.turnPage(place)}
        clearFilters={() => void actions.removeFilter(null)}
      />
    )
  return (
    <div
      ref={scroller}
      className="scroller"
      tabIndex={0}
      role="region"
      aria-label={list.rows}
      onKeyDown={moveByKey}
      onScroll={({ currentTarget }) =>
        currentTarget.toggleAttribute('data-slid', currentTarget.scrollLeft !== 0)
      }
    >
      <DataTable key={view.name} ref={table} view={view} sort={sort} />
      <Tooltip within={scroller} />
    </div>
  )
}

type Ref<Element> = { readonly current: Element | null }

/** Scrolls to the top when the rows change. */
function useTopOfPage(scroller: Ref<HTMLElement>, { page, sortText }: TableView): void {
  const place = JSON.stringify([page.range, page.number, sortText])
  const shown = useRef(place)
  useEffect(() => {
    if (shown.current === place) return
    shown.current = place
    scroller.current?.scrollTo({ top: 0 })
    // As cards the rows scroll with the document.
    window.scrollTo({ top: 0 })
  }, [place, scroller])
}

function useListKeys(table: Ref<HTMLTableElement>, view: TableView, actions: ListingActions): void {
  const move = (rows: number) => table.current && moveInTable(table.current, { rows })
  const turn = (place: 'previous' | 'next') => {
    if (view.page[place] === undefined) return
    const at = table.current && focusedPlace(table.current)
    const turned = actions.turnPage(place)
    if (at) void turned.then(() => requestAnimationFrame(() => returnFocus(table.current, at.cell)))
  }
  useKeys({
    '/': () => document.getElementById(SEARCH_ID)?.focus(),
    v: () => document.getElementById(DISPLAY_ID)?.click(),
    j: () => move(1),
    k: () => move(-1),
    ']': () => turn('next'),
    '[': () => turn('previous'),
  })
}

/** After paging, focuses the first row, unless the person has moved the focus elsewhere. */
function returnFocus(table: HTMLTableElement | null, cell: number): void {
  const now = document.activeElement
  if (table && (now === null || now === document.body || table.contains(now)))
    focusCell(table, 0, cell)
}

/** Announces the shown rows to screen readers when they change. */
function Announcement({ view }: { view: TableView }) {
  const { list } = useMessages()
  const total = totalText(view.total, list)
  const range = rangeText(view.page, list)
  const text = `${range ? list.range(range, total) : total}, ${view.sortText}`
  const [first] = useState(text)
  return (
    <p className="sr" role="status">
      {text === first ? '' : text}
    </p>
  )
}
