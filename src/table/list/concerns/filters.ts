/** Filtering: which rows the listing shows, by the values of its filters. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import { sameJson } from '../../../protocol/json.ts'
import { SEARCH_MAX } from '../../../protocol/constants.ts'
import {
  BUILDER,
  type FilterBounds,
  type FilterChip,
  type FilterComponents,
  type FilterEntries,
  type FilterFacets,
  type FilterForm,
  type FilterOffer,
  type FiltersView,
  type FoundChoices,
} from '../../../protocol/filters.ts'
import type { LoadContext, Request } from '../../../server/component/component.ts'
import { badParameter, clip } from '../../address-error.ts'
import { keyOfColumn, PREFIX, writeFilter, writeFilters } from '../../filters/address.ts'
import { type Asking, boundsOf, facetsOf, findChoices } from '../../filters/ask.ts'
import {
  cleared,
  DELETED,
  deletedKey,
  filteredBy,
  isDefault,
  LEFT_OUT,
  SHOWN,
  withoutDeleted,
} from '../../filters/deleted.ts'
import { drawForm } from '../../filters/draw-form.ts'
import { drawOffers, offersFor } from '../../filters/draw-offers.ts'
import { entriesOf, isStep, readForm } from '../../filters/form-fields.ts'
import { latest, type Questions } from '../../filters/latest.ts'
import {
  columnFiltersOf,
  filterIn,
  filtersOf,
  relatedTable,
  unknownFilter,
} from '../../filters/offered.ts'
import {
  checkedValues,
  conditionsOf,
  isRepeatable,
  readAddress,
  valuesOf,
} from '../../filters/read-filters.ts'
import { encodeValue } from '../../row-key.ts'
import type { Value } from '../../source/value.ts'
import { defineConcern, type ListParams, type OpenList } from '../concern.ts'
import { knownWhole, wholeOf } from '../whole-count.ts'

/** Any object: which filters there are, and what they take, is known once the table is open. */
const components = v.custom<FilterComponents>(
  (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
  'not an object of filters',
)

/**
 * Opens or closes the panel of a page without script, or says which button of its form was pressed; later
 * addresses do not repeat it.
 */
const PANEL = 'filters'

export const filtering = defineConcern({
  name: 'filters',
  state: {
    filterComponents: components,
    filterSlideDownDefaultVisible: v.boolean(),
    /** Whether the filter that leaves out rows marked as deleted was taken away; `slow`: because it took too long. */
    showsDeleted: v.union([v.boolean(), v.literal('slow')]),
  },
  writable: ['filterComponents', 'filterSlideDownDefaultVisible'],
  pushes: (_state, _before, paths) =>
    paths.some((path) => path.split('.', 1)[0] === 'filterComponents'),
  initial: { filterComponents: {}, filterSlideDownDefaultVisible: false, showsDeleted: false },
  address: {
    names: [`${PREFIX}<filter>`, DELETED, PANEL],
    owns: (name) => name.startsWith(PREFIX) || name === DELETED || name === PANEL,
    repeats: isRepeatable,
    read(query, open, locale) {
      const step = query.get(PANEL)
      if (isStep(step)) {
        const { values } = readForm(query, step, open, locale)
        return { ...filteredBy(values, open), filterSlideDownDefaultVisible: true }
      }
      const values = valuesOf(readAddress(query, open))
      return {
        ...filteredBy(readDeleted(query) ? values : withoutDeleted(values, open), open),
        filterSlideDownDefaultVisible:
          readPanel(step) ?? open.definition.filterSlideDownDefaultVisible ?? false,
      }
    },
    isFilledIn(query, open, locale) {
      const step = query.get(PANEL)
      if (isStep(step)) return readForm(query, step, open, locale).isDone
      // The filter of marked rows is told by the address as well.
      const key = deletedKey(open)
      return key !== undefined && !readDeleted(query) && !readAddress(query, open).has(key)
    },
    write: ({ filterComponents, showsDeleted }) => [
      ...writeFilters(filterComponents),
      // What took too long is tried again at the next visit.
      ...(showsDeleted === true ? [SHOWN_PARAM] : []),
    ],
  },
  updated(state, { opened }) {
    const isSlow = state.showsDeleted === 'slow'
    const filtered = filteredBy(checkedValues(state.filterComponents, opened), opened)
    Object.assign(state, filtered, filtered.showsDeleted && isSlow && { showsDeleted: 'slow' })
  },
  // An order is that of the parent's rows, so that the parent's filters stay.
  presented({ filterComponents }, { order }, open) {
    if (!order) return {}
    const kept = Object.entries(filterComponents).filter(([key]) => {
      const column = filtersOf(open).get(key)?.column
      return column !== undefined && order.within.includes(column)
    })
    return { filterComponents: Object.fromEntries(kept) }
  },
  where: ({ filterComponents }, open, clock) =>
    [...conditionsOf(filterComponents, open).values()].map((one) => one.predicate(clock)),
  async narrowedBy(context) {
    const { filterComponents } = context.state
    const conditions = (await chipsOf(context)).map(({ key, label, value }) => {
      const { [key]: _left, ...others } = filterComponents
      return { label, value, without: filteredBy(others, context.opened) }
    })
    return { conditions, none: cleared(filterComponents, context.opened) }
  },
  actions: {
    /**
     * Keeps the rows that hold the value of this cell, or leaves them out, besides those that are left out
     * already. Returns whether the row was still there.
     */
    filterByCell: {
      args: v.strictTuple([v.string(), v.string(), v.picklist(['in', 'notIn'])]),
      async run({ state, opened, signal, go }, row, column, how) {
        const key = keyOfColumn(column)
        filterIn(filtersOf(opened), key, opened)
        const rowKey = opened.keys.read(row)
        const { source } = opened.services
        const found =
          rowKey && (await source.row(opened.access, rowKey, { columns: [column] }, { signal }))
        if (!found) return false
        const text = textIn(found.values[0] ?? null)
        const before = state.filterComponents[key]
        const left = before && 'notIn' in before && how === 'notIn' ? before.notIn : []
        const value = how === 'in' ? { in: [text] } : { notIn: [...left, text] }
        const filterComponents = { ...state.filterComponents, [key]: value }
        go(filteredBy(checkedValues(filterComponents, opened), opened))
        return true
      },
    },
    /**
     * How many of the rows that match all other filters and the search hold each value; `null` if the same
     * person has asked under other conditions meanwhile.
     */
    facets: {
      kind: 'query',
      args: v.union([v.strictTuple([v.string()]), v.strictTuple([v.string(), v.literal(BUILDER)])]),
      async run(context, key, within: string = key): Promise<FilterFacets | null> {
        const { state, opened, actor, signal, locale, language, timeZone } = context
        const filter = filterIn(filtersOf(opened), key, opened)
        const { [within]: _own, ...others } = state.filterComponents
        const where = context.where({ filterComponents: others })
        const table = opened.definition.table.name
        const name = JSON.stringify([actor.id, table, key, within])
        const about = JSON.stringify([
          ...[context.conditionsKey(), actor.role],
          ...[locale, language, timeZone],
        ])
        return latest(countingIn(opened.services), { name, about, signal }, (signal) =>
          facetsOf(filter, where, { ...askingIn(context), signal }),
        )
      },
    },
    /** Related rows to choose from. */
    findRelated: {
      kind: 'query',
      args: v.strictTuple([v.string(), v.pipe(v.string(), v.maxLength(SEARCH_MAX))]),
      run: (context, key, text): Promise<FoundChoices> =>
        findChoices(
          filterIn(filtersOf(context.opened), key, context.opened),
          text,
          askingIn(context),
        ),
    },
    /** The filters of the table whose rows a filter is about. */
    relatedOffers: {
      kind: 'query',
      args: v.strictTuple([v.string()]),
      run({ opened, locale, language, timeZone }, key): FilterOffer[] {
        const other = relatedTable(key, opened)
        if (!other) throw unknownFilter(key)
        return drawOffers(columnFiltersOf(other), { locale, language, timeZone })
      },
    },
    /** Between which values a slider runs. */
    bounds: {
      kind: 'query',
      args: v.strictTuple([v.string()]),
      run: (context, key): Promise<FilterBounds> =>
        boundsOf(filterIn(filtersOf(context.opened), key, context.opened), askingIn(context)),
    },
    /** `null` removes all filters but that of rows marked as deleted, which goes when it is the only one. */
    removeFilter: {
      args: v.strictTuple([v.nullable(v.string())]),
      run({ state: { filterComponents }, opened, go }, key) {
        if (key === null) return go(cleared(filterComponents, opened))
        const { [key]: _removed, ...others } = filterComponents
        return go(filteredBy(others, opened))
      },
    },
  },
  async load(
    context,
  ): Promise<{ chips: FilterChip[]; form: FilterForm | null; whole: number | null }> {
    const entries = entriesIn(context)
    const [chips, form] = await Promise.all([
      chipsOf(context),
      entries && drawForm(entries, context.state.filterComponents, askingIn(context)),
    ])
    return { chips, form, whole: chips.length > 0 ? await knownWhole(context.opened) : null }
  },
  instead: ({ filterComponents }, open) =>
    isDefault(filterComponents, open) ? { filterComponents: {}, showsDeleted: 'slow' } : undefined,
  told: ({ state, reader }) =>
    state.showsDeleted === 'slow' ? messagesFor(reader.language).reasons.deletedShown : null,
  slow: ({ data: { chips }, reader }) =>
    chips.length === 0 ? null : messagesFor(reader.language).reasons.slowFilter,
  view: ({
    state,
    data: { chips, form, whole },
    opened,
    reader,
    href,
  }): { filters: FiltersView } => ({
    filters: {
      offers: offersFor(filtersOf(opened), reader),
      builder: true,
      values: state.filterComponents,
      chips,
      clearHref: href(cleared(state.filterComponents, opened)),
      ...(chips.length > 0 && wholeOf(opened, whole, reader)),
      ...(form && { form }),
    },
  }),
})

/**
 * What the form of a page without script holds besides values: only the address says it. The form is drawn
 * with the page; what happens afterwards happens by script.
 */
function entriesIn({ query, state, opened, locale }: Loading): FilterEntries | null {
  const { filterComponents: values, filterSlideDownDefaultVisible: isOpen } = state
  if (!query || !isOpen) return null
  const step = query.get(PANEL)
  return isStep(step) ? readForm(query, step, opened, locale).entries : entriesOf(values, opened)
}

function chipsOf(context: Asked): Promise<FilterChip[]> {
  const { state, opened } = context
  const conditions = conditionsOf(state.filterComponents, opened)
  const { source, signal, reader } = askingIn(context)
  const deleted = deletedKey(opened)
  return Promise.all(
    [...conditions].map(async ([key, condition]): Promise<FilterChip> => {
      const value = await condition.words({ reader, source, signal })
      const { chip } = messagesFor(reader.language)
      const label = key === BUILDER ? chip.builder : (filtersOf(opened).get(key)?.label ?? key)
      const params = writeFilter(key, condition.value).map(([name]) => name)
      if (key !== deleted) return { key, label, value, params }
      const isHiding = sameJson(condition.value, LEFT_OUT)
      return {
        ...{ key, params, removed: SHOWN_PARAM },
        ...(isHiding ? chip.deleted : { label, value }),
      }
    }),
  )
}

/** What an address holds from which the filter of marked rows was taken away. */
const SHOWN_PARAM: [name: string, value: string] = [DELETED, SHOWN]

function readDeleted(query: URLSearchParams): boolean {
  const given = query.get(DELETED)
  if (given === null || given === SHOWN) return given !== null
  throw badParameter(({ address }) => address.unknown(clip(given), SHOWN))
}

function readPanel(given: string | null): boolean | undefined {
  if (given === null) return undefined
  if (given === 'open' || given === 'closed') return given === 'open'
  throw badParameter(({ address }) => address.unknown(clip(given), 'open, closed'))
}

/** The counts of values that are under way in each application. */
const counting = new WeakMap<object, Questions<FilterFacets>>()

function countingIn(services: object): Questions<FilterFacets> {
  const questions = counting.get(services) ?? new Map()
  counting.set(services, questions)
  return questions
}

type Asked = Request<ListParams, OpenList> & {
  readonly state: { readonly filterComponents: FilterComponents }
}

type Loading = LoadContext<
  { filterComponents: FilterComponents; filterSlideDownDefaultVisible: boolean },
  ListParams,
  OpenList
>

/** What a query of a filter's control needs of its context. */
const askingIn = (context: Request<ListParams, OpenList>): Asking => {
  const { opened, signal, locale, language, timeZone } = context
  const reader = { locale, language, timeZone }
  return { open: opened, source: opened.services.source, reader, signal }
}

/** A value as `OneOf` holds it. */
const textIn = (value: Value): string | null => (value === null ? null : encodeValue(value))
