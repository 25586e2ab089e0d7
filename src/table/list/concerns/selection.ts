/** Selection: which rows are selected, how many those are, and what can be done with them. */

import * as v from 'valibot'
import { keysOf, type Selected } from '../../../protocol/selection.ts'
import type { TableView } from '../../../protocol/table-view.ts'
import type { PageKey, SelectedCount, SelectionSum } from '../../../protocol/table-component.ts'
import { digestOf } from '../../../server/component/digest.ts'
import { type Formatter, formatterFor } from '../../format.ts'
import { unknownColumn } from '../../address-error.ts'
import type { OpenTable } from '../../catalog.ts'
import { kindOf } from '../../definition/kinds.ts'
import { valuesAsWritten } from '../../definition/named-scale.ts'
import type { ColumnDefinition } from '../../definition/table-definition.ts'
import {
  assertBulkActions,
  assertSelection,
  checkSelected,
  hasBulkActions,
  hasSelection,
  keysPredicate,
  selectedPredicate,
  selectedSchema,
} from '../../selection.ts'
import { LEFT } from '../../plans/left-rows.ts'
import { everything, type Predicate } from '../../source/predicate.ts'
import type { RowPage, Run } from '../../source/row-source.ts'
import type { KeyValues } from '../../source/value.ts'
import { defineConcern, type ListContext, type ListServices } from '../concern.ts'
import { exactCount, NOTHING_SHOWN, plausibleEstimate } from '../shown.ts'
import {
  CURRENCIES_MAX,
  currencyName,
  currencyText,
  noSum,
  meanOfSum,
  meanText,
  fixedText,
  isFixed,
  sumText,
  summaryByCurrency,
  summaryOf,
  summaryOfFixed,
  summaryOfTexts,
  totalText,
} from '../sums.ts'
import { COUNT_WAIT_MS } from '../totals.ts'

/** Longest time that the sums of a large selection may take, ms. */
const SUMS_TIMEOUT_MS = 20_000
/** Most characters of the keys of a page that are kept as state. */
const PAGE_KEYS_MAX = 20_000

const oneSelection = v.strictTuple([selectedSchema])

const pageKeySchema = v.custom<PageKey>((key) => typeof key === 'string' || typeof key === 'number')

export const selection = defineConcern({
  name: 'selection',
  state: {
    selected: selectedSchema,
    hideBulkActionsWhenEmpty: v.boolean(),
    paginationCurrentItems: v.array(pageKeySchema),
    paginationCurrentCount: v.number(),
    /** Rows that match; an estimate where there is only that, `null` while it is not known. */
    paginationTotalItemCount: v.nullable(v.number()),
  },
  writable: ['selected'],
  initial: {
    selected: [],
    hideBulkActionsWhenEmpty: false,
    paginationCurrentItems: [],
    paginationCurrentCount: 0,
    paginationTotalItemCount: null,
  },
  cleared: { selected: [] },
  address: {
    names: [],
    owns: () => false,
    // Rows that a plan has left are opened as a selection.
    read: (query, { definition }) => ({
      selected: query.has(LEFT) && hasSelection({ definition }) ? { except: [] } : [],
      hideBulkActionsWhenEmpty: definition.hideBulkActionsWhenEmpty,
      paginationCurrentItems: [],
      paginationCurrentCount: 0,
      paginationTotalItemCount: null,
    }),
    write: () => [],
  },
  updated(state, { opened }) {
    state.selected = checkSelected(state.selected, opened)
  },
  actions: {
    setAllSelected: {
      args: v.strictTuple([]),
      run({ state, opened }) {
        assertSelection(opened)
        state.selected = { except: [] }
      },
    },
    clearSelected: {
      args: v.strictTuple([]),
      run({ state, opened }) {
        assertSelection(opened)
        state.selected = []
      },
    },
    /** How many rows a selection has: those that still match. */
    selectedCount: {
      kind: 'query',
      args: oneSelection,
      run: (context, selected) => countSelected(context, checkSelected(selected, context.opened)),
    },
    /** The sums of a selection's rows, under those of the columns that have sums. */
    selectedSums: {
      kind: 'query',
      args: v.strictTuple([selectedSchema, v.array(v.string())]),
      async run(context, selected, names) {
        const checked = checkSelected(selected, context.opened)
        const columns = summed(context.opened, names)
        if (columns.length === 0) return []
        return Array.isArray(checked)
          ? sumsOfFew(context, columns, checked)
          : sumsOfMany(context, columns, checked)
      },
    },
    /** Fails, in words, where these rows could not be exported. */
    checkExport: {
      kind: 'query',
      args: oneSelection,
      run({ opened }, selected): void {
        assertBulkActions(opened)
        checkSelected(selected, opened)
      },
    },
  },
  decide(_state, { opened, page, tally, isUnfiltered }) {
    const { rows, after } = page
    const shown = { ...NOTHING_SHOWN, rows: rows.length, after }
    const estimate = isUnfiltered ? plausibleEstimate(opened, shown, tally) : null
    return {
      paginationCurrentItems: hasSelection(opened) ? keysOfPage(page, opened) : [],
      paginationCurrentCount: rows.length,
      paginationTotalItemCount: exactCount(tally) ?? estimate,
    }
  },
  view: ({ opened, conditionsKey }): Pick<TableView, 'selection' | 'exportable'> => ({
    ...(hasSelection(opened) && { selection: { of: digestOf(conditionsKey()) } }),
    ...(hasBulkActions(opened) && { exportable: true as const }),
  }),
})

/** The keys of the rows that have one, from the first row on as far as there is room. */
function keysOfPage({ rows }: RowPage, { keys }: OpenTable): PageKey[] {
  let room = PAGE_KEYS_MAX
  return rows.flatMap(({ key }) => {
    const text = keys.record(key)
    return text !== null && (room -= text.length) >= 0 ? asNumber(key, text) : []
  })
}

/**
 * A key that is a whole number as that. JSON is parsed faster with numbers in it: V8 looks each short
 * text up in a table of all that it holds.
 */
const asNumber = ([value]: KeyValues, text: string): PageKey =>
  Number.isSafeInteger(value) && String(value) === text ? Number(text) : text

type Context = Pick<
  ListContext<unknown>,
  'opened' | 'where' | 'tally' | 'signal' | 'locale' | 'language' | 'timeZone'
>

async function countSelected(context: Context, selected: Selected): Promise<SelectedCount> {
  const { number } = formatterFor(context)
  const named = keysOf(selected).length === 0 ? 0 : await countKeys(context, keysOf(selected))
  if (Array.isArray(selected)) return { kind: 'exact', count: named, text: number(named) }
  const { count } = await context.tally(COUNT_WAIT_MS)
  if (!count) return { kind: 'unknown' }
  const left = Math.max(0, count.count - named)
  return { kind: count.kind, count: left, text: number(left) }
}

/** How many of these rows match the conditions. */
async function countKeys({ opened, where, signal }: Context, keys: readonly string[]) {
  const { services, access } = opened
  const named = and(where(), keysPredicate(keys, opened))
  return (await services.source.count(access, named, { signal })).count
}

const and = (...all: Predicate[]): Predicate => ({ op: 'and', all })

type Summed = Pick<
  ColumnDefinition,
  'digits' | 'namedScale' | 'currency' | 'fixedCurrency' | 'minorUnit' | 'summary'
> & {
  readonly column: string
  readonly kind: 'sum' | 'mean'
  readonly isMoney: boolean
}

/** Those of the columns that have sums. Throws `TABLE_UNKNOWN_COLUMN` for one that may not be shown. */
const summed = ({ definition, access }: OpenTable, names: readonly string[]): Summed[] =>
  [...new Set(names)].flatMap((name) => {
    const column = definition.columns.get(name)
    if (!column || !access.canShow(name)) throw unknownColumn(name)
    const { summary: kind } = column
    const isMoney = kindOf(column).summary?.isMoney ?? false
    return kind && access.canRead(name) ? [{ ...column, column: name, kind, isMoney }] : []
  })

/** The columns that hold the currencies of others, as far as the actor may read them. */
const currenciesOf = (columns: readonly Summed[], { access }: OpenTable): string[] =>
  columns.flatMap(({ currency }) =>
    currency !== undefined && access.canRead(currency) ? [currency] : [],
  )

/** Adds up the values themselves, so that the sums are as exact as those of a page. */
async function sumsOfFew(
  context: Context,
  columns: readonly Summed[],
  selected: string[],
): Promise<SelectionSum[]> {
  const { opened, where, signal } = context
  if (selected.length === 0) return []
  const read = columns.map(({ column }) => column)
  const currencies = currenciesOf(columns, opened)
  const query = {
    columns: [...new Set([...read, ...currencies])],
    where: and(where(), selectedPredicate(selected, opened)),
    sort: [],
    size: selected.length,
    place: { at: 'first' } as const,
  }
  const { rows } = await opened.services.source.page(opened.access, query, { signal })
  const formatter = formatterFor(context)
  return columns.map((summed, at) => {
    const { column, kind, isMoney } = summed
    const values = valuesAsWritten(summed, rows, at)
    if (summed.currency !== undefined) {
      const from = query.columns.indexOf(summed.currency)
      if (from < 0) return { column, kind, ...noSum('unknownCurrency', formatter) }
      const beside = rows.map((row) => row.values[from] ?? null)
      return { column, kind, ...summaryByCurrency(summed, values, beside, formatter) }
    }
    if (isFixed(summed)) return { column, kind, ...summaryOfFixed(summed, values, formatter) }
    const text = (kind === 'sum' ? sumText : meanText)(values, formatter, isMoney)
    return { column, kind, ...summaryOf(text, formatter) }
  })
}

/** Lets the database add up, however many rows there are. */
async function sumsOfMany(
  context: Context,
  columns: readonly Summed[],
  selected: Selected,
): Promise<SelectionSum[]> {
  const { opened, where, signal } = context
  const rest = keysOf(selected).length === 0 ? everything : selectedPredicate(selected, opened)
  const run = { signal, timeoutMs: SUMS_TIMEOUT_MS }
  const formatter = formatterFor(context)
  const all = and(where(), rest)
  const [mixed, plain] = [true, false].map((isMixed) =>
    columns.filter(({ currency }) => (currency !== undefined) === isMixed),
  )
  const source = { ...opened.services, access: opened.access, run, formatter }
  const found = (mixed ?? []).map((column) => sumByCurrency(column, all, source, opened))
  const names = (plain ?? []).map(({ column }) => column)
  const sums =
    names.length === 0 ? [] : await opened.services.source.sums(opened.access, all, names, run)
  const texts = (plain ?? []).map((summed, at) => {
    const { column, kind, isMoney, digits } = summed
    const { sum, count } = sums[at] ?? { sum: null, count: 0 }
    if (sum === null || count === 0) return { column, kind, ...noSum('noNumbers', formatter) }
    if (isFixed(summed)) return { column, kind, text: fixedText(summed, { sum, count }, formatter) }
    const text =
      kind === 'sum'
        ? totalText(sum, formatter, { isMoney, digits })
        : meanOfSum(sum, count, formatter, isMoney)
    return { column, kind, text }
  })
  return [...texts, ...(await Promise.all(found))]
}

type Summing = Pick<ListServices, 'source'> & { readonly run: Run; readonly formatter: Formatter }

/** Most texts that stand for the currencies of a selection; one currency may be spelled in several ways. */
const SPELLINGS_MAX = 20

/** A sum for each currency of the rows. */
async function sumByCurrency(
  summed: Summed,
  where: Predicate,
  { source, run, formatter }: Summing,
  { access }: OpenTable,
): Promise<SelectionSum> {
  const { column, kind, currency = '' } = summed
  if (!access.canRead(currency)) return { column, kind, ...noSum('unknownCurrency', formatter) }
  const options = { ...run, limit: SPELLINGS_MAX }
  const { facets, hasMore } = await source.facets(access, where, currency, options)
  const groups = Map.groupBy(
    facets.map(({ value }) => value),
    currencyName,
  )
  if (hasMore || groups.size > CURRENCIES_MAX)
    return { column, kind, ...noSum('manyCurrencies', formatter) }
  const sums = await Promise.all(
    [...groups].map(async ([name, spellings]) => {
      const all = spellings.map((value): Predicate => ({ op: 'eq', column: currency, value }))
      const one = and(where, { op: 'or', all })
      const [found] = await source.sums(access, one, [column], run)
      const { sum = null, count = 0 } = found ?? {}
      return sum === null || count === 0
        ? null
        : currencyText(summed, { sum, count, currency: name }, formatter)
    }),
  )
  return { column, kind, ...summaryOfTexts(sums, formatter) }
}
