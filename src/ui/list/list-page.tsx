/** The list page: one table, its search, its order and its pages. */

import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { laterPart } from '../later-part.tsx'
import { useDelayed } from '../../react/use-delayed.ts'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { type Correct, CorrectContext } from '../corrections/correct-context.ts'
import { ActiveFilters } from './active-filters.tsx'
import { ReorderButton, ReorderFrame } from '../reorder/reorder-mode.tsx'
import { CardBar } from './card-bar.tsx'
import { DataTable } from './data-table.tsx'
import { DisplayMenu } from './display-menu.tsx'
import {
  FiltersButton,
  type FiltersOpen,
  FiltersRegion,
  useFiltersOpen,
} from './filters-region.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListHead } from './list-head.tsx'
import { JOBS_ID } from './menu-ids.ts'
import { NoRows } from './no-rows.tsx'
import { SearchBox } from './search-box.tsx'
import { CardSums } from './sums.tsx'
import { type Sort, SORT_FORM } from './table-head.tsx'
import { rangeText, totalText } from './total-text.ts'
import { type Listing, useListing } from './use-listing.ts'
import { listWork, useListWork } from './use-list-work.ts'
import { isNone } from '../../protocol/selection.ts'
import { PageMenu } from '../selection/page-menu.tsx'
import { SelectionBar } from '../selection/selection-bar.tsx'
import { type Selecting, useEarlyTicks, useSelecting } from '../selection/use-selecting.ts'
import { Shown } from '../parts/plain-text.tsx'
import { ViewMenu, ViewTabs } from '../saved-views/view-menu.tsx'

const LeftRows = laterPart(async () => (await listWork.load()).LeftRows)
const Correcting = laterPart(async () => (await import('../corrections/correcting.tsx')).Correcting)
const LongWait = laterPart(async () => (await listWork.load()).LongWait)

/** How long rows may load before the person is told so and may cancel, ms. */
const LONG_WAIT_MS = 1000

/** Draws the listing whose component has the id `component`. */
export function ListPage({ component }: { component: string }) {
  const listing = useListing(component)
  const { view, actions } = listing
  // Rows are drawn when there is time; chips and counts change with them, never before.
  const shown = useDeferredValue(view)
  const { list } = useMessages()
  const notify = useNotify()
  const isReordering = view.reorder?.mode !== undefined
  const [correcting, setCorrecting] = useState<Corrected>()
  const correct = useCallback<Correct>((column) => setCorrecting({ column }), [])
  const stop = useCallback(() => setCorrecting(undefined), [])
  // Nobody corrects the table any more, such as after Back.
  const isLeft = view.preview !== undefined && !correcting
  useEffect(() => {
    if (isLeft) void actions.previewCorrections('')
  }, [isLeft, actions])
  const selecting = useSelecting(component, view)
  const panel = useFiltersOpen(component)
  const sort = useCallback<Sort>(
    (column, add) =>
      void actions.sortBy(column, add).then((had) => had === false && notify(list.orderFull)),
    [actions, notify, list],
  )
  return (
    <CorrectContext value={correct}>
      <ListHead
        component={component}
        view={shown}
        views={!isReordering && <ViewMenu view={view} actions={actions} />}
        menu={!isReordering && <PageMenu {...{ component, view }} selected={selecting.selected} />}
      />
      {isReordering ? (
        <ReorderFrame component={component} listing={listing}>
          {/* What others change is told when the order is saved. */}
          <div className="rows" data-yields="always">
            <Rows
              {...{ component, listing, shown, sort, panel }}
              selecting={{ ...selecting, selection: null, foot: null }}
            />
          </div>
        </ReorderFrame>
      ) : (
        <Listed {...{ component, listing, shown, sort, selecting, panel, correcting, stop }} />
      )}
      <Announcement view={shown} />
    </CorrectContext>
  )
}

/** What is corrected beside the rows: a column, or the table for `null`. */
type Corrected = { readonly column: string | null }

type ListedProps = RowsProps & {
  correcting: Corrected | undefined
  /** Ends correcting. */
  stop(): void
}

/** The listing itself: its bar, its rows and its foot. */
function Listed({ correcting, stop, ...props }: ListedProps) {
  const { component, listing, shown, sort, selecting, panel } = props
  const rows = useRef<HTMLDivElement>(null)
  const { view, actions } = listing
  const { list, selection } = useMessages()
  const isLong = useDelayed(listing.isWaiting, LONG_WAIT_MS)
  return (
    <>
      {correcting ? (
        <Correcting {...{ listing, rows, close: stop }} asked={correcting} />
      ) : (
        <ListBar {...{ component, listing, selecting, panel }} />
      )}
      {/* What the panel stands beside in a low window. */}
      <div className="listed">
        <FiltersRegion {...{ component, view, actions, panel }} />
        {listing.errors.length > 0 && (
          <p className="stripe bad" role="alert">
            <Icon name="warning" />
            {listing.errors.join(' ')}
          </p>
        )}
        <ActiveFilters {...{ view: shown, actions, panel }} />
        {shown.left && <LeftRows left={shown.left} />}
        {shown.rows.length > 0 && <CardBar component={component} view={shown} sort={sort} />}
        <form id={SORT_FORM} action={view.href} hidden>
          <HiddenInputs params={view.params} except="sort" />
        </form>
        <div
          ref={rows}
          className={listing.isWaiting ? 'rows stale' : 'rows'}
          aria-busy={listing.isWaiting}
        >
          {listing.isWaiting && (
            <span className="progress" role="progressbar" aria-label={list.loading} />
          )}
          {isLong && <LongWait cancel={listing.cancel} />}
          <Rows
            {...{ component, listing, shown, sort, selecting, panel }}
            isPreview={correcting !== undefined || view.preview !== undefined}
          />
        </div>
      </div>
      <CardSums view={shown} selected={selecting.foot} />
      <div className="last">
        <div id={JOBS_ID} />
        <ListFoot {...{ component, view: shown, actions }} />
      </div>
      <p className="sr" role="status">
        {isNone(selecting.selected) ? '' : selection.count(selecting.count.text)}
      </p>
    </>
  )
}

type ListBarProps = {
  component: string
  listing: Listing
  selecting: Selecting
  panel: FiltersOpen
}

/** The toolbar; while rows are selected, the selection's part of it takes the place of the order. */
function ListBar({ component, listing, selecting, panel }: ListBarProps) {
  const { view, actions } = listing
  const { list } = useMessages()
  const { selection, count, selected, isHidden } = selecting
  const isMode = selection !== null && !isNone(selected)
  return (
    <div className={isMode ? 'bar mode' : 'bar'}>
      {!isMode && <ViewTabs view={view} />}
      {!isMode && (
        <p className="order">
          <span>
            <Shown text={view.sortText} />
          </span>
          {view.unordered !== undefined && <span className="slow muted">{view.unordered}</span>}
          {view.slow !== null && (
            <span className="slow muted">
              <Shown text={view.slow} /> {view.advice !== null && <code>{view.advice}</code>}
            </span>
          )}
        </p>
      )}
      {selection && !isHidden && <SelectionBar {...{ view, selection, count }} />}
      <div className="tools" role="group" aria-label={list.tools}>
        <SearchBox component={component} listing={listing} />
        <FiltersButton view={view} panel={panel} />
        <ReorderButton view={view} actions={actions} />
        <DisplayMenu {...{ component, view, actions }} />
      </div>
    </div>
  )
}

type RowsProps = {
  component: string
  listing: Listing
  /** The view whose rows are drawn, which may be behind that of the listing. */
  shown: TableView
  sort: Sort
  selecting: Selecting
  panel: FiltersOpen
  /** They show what is not saved, so that nothing is done with them. Default: false. */
  isPreview?: boolean
}

/** Draws rows in small steps, so that keys and clicks never wait for a long page. */
function Rows(props: RowsProps) {
  const { component, listing, shown: view, sort, selecting, panel, isPreview = false } = props
  const { view: newest, actions } = listing
  const { selection, foot } = selecting
  const [first] = useState(view)
  const { list } = useMessages()
  const scroller = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const isSome = selection !== null && view.rows.length > 0
  const work = useListWork(isSome)
  useEarlyTicks(table, selection)
  useTopOfPage(scroller, view)
  const commands = work && !isPreview && (
    <work.ListCommands
      {...{ component, table, view, actions, panel, selecting }}
      within={scroller}
    />
  )
  if (view.rows.length === 0)
    return (
      <>
        {view.nothing && (
          <NoRows
            nothing={view.nothing}
            more={work && <work.KeptOut component={component} view={view} />}
          />
        )}
        {commands}
      </>
    )
  return (
    <div
      ref={scroller}
      className="scroller"
      tabIndex={0}
      role="region"
      aria-label={list.rows}
      aria-busy={view === newest ? undefined : true}
      onScroll={({ currentTarget }) =>
        currentTarget.toggleAttribute('data-slid', currentTarget.scrollLeft !== 0)
      }
    >
      <DataTable
        key={view.name}
        ref={table}
        {...{ component, view, sort, selection }}
        selected={foot}
        isFirst={view === first}
      />
      {commands}
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
