/** The listing as a live component: its state, what a person can do with it, and its view. */

import * as v from 'valibot'
import type { FilterView, TableView } from '../../protocol/table-view.ts'
import { type Component, type Context, defineComponent } from '../../server/component/component.ts'
import { encodeAnchor } from './anchor.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import { formatterFor, TEXT_MAX } from '../format.ts'
import { checkFilters, type Filter, filterParam } from './filter.ts'
import {
  checkColumns,
  checkSort,
  chosenSize,
  FIRST_PLACE,
  listHref,
  type ListState,
  listState,
  type PlaceState,
  sizeOf,
  SORT_MAX,
} from './state.ts'
import { listWhere, placeOf, sortOf } from './query.ts'
import { cutColumns, relationPlaces, textOf } from './rows.ts'
import { drawList, LAST_PLACE, nextSort, readableColumns } from './view.ts'
import { PAGE_SIZES } from '../definition/page-size.ts'
import type { Predicate } from '../source/predicate.ts'
import { findReferred } from '../record/references.ts'
import type { RowPage, RowSource } from '../source/row-source.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Totals } from './totals.ts'

export type ListServices = {
  readonly source: RowSource
  /** The catalog as it is now; it may be read anew when the schema changes. */
  catalog(): Catalog
  readonly totals: Totals
  /** Address of a table's listing. */
  href(table: string): string
}

/** How long `refreshTotal` waits for a better count before it answers, ms. */
const REFRESH_PATIENCE_MS = 150

/** A listing in a request: everything that its view is made of. */
type Listing = { open: OpenTable; columns: ColumnDefinition[]; where: Predicate; totalKey: string }

/** The component behind every list page. */
export function createListComponent(services: ListServices): Component<ListState> {
  function listing(context: Context<ListState>): Listing {
    const open = services.catalog().open(context.actor, context.state.table)
    return {
      open,
      columns: shownColumns(open, context.state),
      where: listWhere(open, context.state),
      totalKey: totalKey(context),
    }
  }

  function totalKey({ actor, state }: Context<ListState>): string {
    const { version } = services.catalog().policy
    const { table, search, filters } = state
    return JSON.stringify([version, actor.role, actor.id, table, search, filters])
  }

  async function readPage(
    context: Context<ListState>,
    { open, columns, where }: Listing,
    total: number | null,
  ) {
    const { state, signal } = context
    const sort = sortOf(open, state)
    const related = relationPlaces(columns, open).map((place) => {
      const column = columns[place]!.name
      return { column, ...open.relations.get(column)! }
    })
    const query = {
      columns: columns.map(({ name }) => name),
      where,
      sort,
      size: sizeOf(state, open.definition),
      cut: { columns: cutColumns(columns, open), length: TEXT_MAX },
      related,
    }
    const place = placeOf(state, open, total)
    const page = await services.source.page(open.access, { ...query, place }, { signal })
    if (page.rows.length > 0 || place.at === 'first') return page
    // Past an end: the page at that end is what was meant (a page out of range is clamped).
    state.place = place.at === 'before' ? FIRST_PLACE : LAST_PLACE
    return services.source.page(
      open.access,
      { ...query, place: placeOf(state, open, total) },
      { signal },
    )
  }

  /** Filters in words: the row that a value refers to shows by its name. */
  function drawFilters(context: Context<ListState>, open: OpenTable): Promise<FilterView[]> {
    const { state, actor, locale, language, timeZone, signal } = context
    const { definition, access } = open
    const formatter = formatterFor({ locale, language, timeZone })
    const draw = async ({ column: { name }, value }: Filter): Promise<FilterView> => {
      const column = definition.columns.get(name)
      const { relation, label = name } = column ?? {}
      const other = relation && services.catalog().find(actor, relation.table)
      const referred =
        relation && (await findReferred(services.source, other, relation, [value], signal))
      const text = column ? textOf(formatter.cell(column, value)) : String(value)
      return { column: name, param: filterParam(name), label, value: referred?.label ?? text }
    }
    return Promise.all(checkFilters(state.filters, definition, access).map(draw))
  }

  async function view(context: Context<ListState>): Promise<TableView> {
    const made = listing(context)
    const { state, locale, language, timeZone } = context
    const patience =
      state.place.at === 'last' || state.place.at === 'offset' ? REFRESH_PATIENCE_MS : undefined
    const tally = await services.totals.find(made.open.access, made.where, made.totalKey, patience)
    const total = tally.count?.kind === 'exact' ? tally.count.count : null
    const [page, filters] = await Promise.all([
      readPage(context, made, total),
      drawFilters(context, made.open),
    ])
    // A view changes its state here: pages are turned from the rows that the person saw, and which
    // those are (edges, the page's number) is known only once they have been read.
    state.edges = edgesOf(page)
    const drawn = drawList({
      open: made.open,
      state,
      columns: made.columns,
      page,
      tally,
      filters,
      href: services.href,
      reader: { locale, language, timeZone },
    })
    state.place = { ...state.place, number: drawn.page.number }
    return drawn
  }

  /** Goes somewhere else in the listing, and says so in the address. */
  function go(
    context: Context<ListState>,
    change: Partial<ListState>,
    mode: 'push' | 'replace' = 'push',
  ): void {
    Object.assign(context.state, { place: FIRST_PLACE, ...change })
    context.effects.url(listHref(services.href(context.state.table), context.state), mode)
  }

  return defineComponent({
    name: 'list',
    state: listState,
    writable: ['search'],
    authorize: ({ actor, state }) => services.catalog().open(actor, state.table).access.may('read'),
    mount: (_context, state: ListState) => state,
    updated(context) {
      context.state.search = context.state.search.trim()
      go(context, {}, 'replace')
    },
    actions: {
      /** Says whether the order had room for the column; where it had none, all stays as it is. */
      sortBy: {
        args: v.strictTuple([v.string(), v.boolean()]),
        run(context, column, add) {
          const { definition, access } = services.catalog().open(context.actor, context.state.table)
          const wanted = nextSort(context.state.sort, column, add)
          const sort = checkSort(wanted.slice(-SORT_MAX), definition, access)
          if (sort.length < wanted.length) return false
          go(context, { sort })
          return true
        },
      },
      /** Without a column: all of them. */
      removeFilter: {
        args: v.strictTuple([v.nullable(v.string())]),
        run(context, column) {
          const { filters } = context.state
          const left = filters.filter((filter) => column !== null && filter.column !== column)
          go(context, { filters: left })
        },
      },
      turnPage: {
        args: v.strictTuple([v.picklist(['first', 'previous', 'next', 'last'])]),
        run: (context, to) => go(context, { place: turn(context.state, to) }),
      },
      setSize: {
        args: v.strictTuple([v.picklist(PAGE_SIZES)]),
        run(context, size) {
          const { definition } = services.catalog().open(context.actor, context.state.table)
          go(context, { size: chosenSize(size, definition) })
        },
      },
      setColumns: {
        args: v.strictTuple([v.nullable(v.array(v.string()))]),
        run(context, names) {
          const { definition, access } = services.catalog().open(context.actor, context.state.table)
          const { place } = context.state
          go(
            context,
            { columns: names && checkColumns(names, definition, access), place },
            'replace',
          )
        },
      },
      /** Says whether the total is as good as it gets. */
      refreshTotal: {
        args: v.strictTuple([]),
        async run(context) {
          const { open, where, totalKey } = listing(context)
          return (await services.totals.find(open.access, where, totalKey, REFRESH_PATIENCE_MS))
            .settled
        },
      },
    },
    view,
  })
}

/** Chosen columns, else the table's own; the label stands first wherever it is shown. */
function shownColumns(open: OpenTable, { columns }: ListState): ColumnDefinition[] {
  const { definition } = open
  const readable = new Set(readableColumns(open).map(({ name }) => name))
  const names = (columns ?? definition.defaultColumns).filter((name) => readable.has(name))
  const label = definition.labelColumn
  const ordered =
    label !== undefined && names.includes(label)
      ? [label, ...names.filter((name) => name !== label)]
      : names
  return ordered.map((name) => definition.columns.get(name)!)
}

function edgesOf({ rows }: RowPage): ListState['edges'] {
  const first = rows[0] ? encodeAnchor(rows[0]) : null
  const last = rows.length > 0 ? encodeAnchor(rows.at(-1)!) : null
  return first === null || last === null ? null : { first, last }
}

function turn({ place, edges }: ListState, to: 'first' | 'previous' | 'next' | 'last'): PlaceState {
  if (to === 'first') return FIRST_PLACE
  if (to === 'last') return LAST_PLACE
  const step = to === 'next' ? 1 : -1
  const number = place.number === null ? null : Math.max(1, place.number + step)
  if (number === 1) return FIRST_PLACE
  if (!edges) return number === null ? place : { at: 'offset', number, anchor: null }
  return to === 'next'
    ? { at: 'after', number, anchor: edges.last }
    : { at: 'before', number, anchor: edges.first }
}
