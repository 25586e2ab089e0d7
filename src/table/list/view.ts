/** Makes a listing's view from one page of rows. */

import { messagesFor } from '../../messages/messages.ts'
import type { ColumnView, TableView } from '../../protocol/table-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import type { RowPage } from '../source/row-source.ts'
import { writesTaken } from '../source/schema.ts'
import { type Formatter, formatterFor } from '../format.ts'
import { hasCurrency } from '../definition/currency.ts'
import { kindOf } from '../definition/kinds.ts'
import { zoneName } from '../definition/kinds/datetime.ts'
import { valuesAsWritten } from '../definition/named-scale.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import { beginsAlike } from './begins-alike.ts'
import type { OpenList, PartInput } from './concern.ts'
import { shownColumns } from './concerns/columns.ts'
import type { AnyConcern, ListParts, ListState } from './concerns.ts'
import { hrefTo, type ListAddress, type ListFold, paramsOf, queryOf, together } from './fold.ts'
import type { ListRead } from './load.ts'
import { drawNothing } from './nothing.ts'
import { readOnlyReason } from './read-only.ts'
import { FIRST_PLACE } from './place.ts'
import { drawRows, readColumns } from './rows.ts'
import {
  isFixed,
  meanText,
  noSum,
  sumText,
  summaryByCurrency,
  summaryOf,
  summaryOfFixed,
} from './sums.ts'

/** Number of rows beyond which the page warns of an order or search that no index serves. */
const SLOW_ROWS = 50_000

export type Drawn = ListRead & {
  readonly opened: OpenList
  /** The state after `decide` of all concerns. */
  readonly state: ListState
  readonly reader: Reader
}

/** The whole view of a listing. */
export function drawList(fold: ListFold, given: Drawn): TableView {
  const { opened, state, reader } = given
  const presented = fold.presented(opened, state)
  const columns = shownColumns(opened, presented)
  const conditions = () => given.conditions
  const isUnfiltered = given.conditions.length === 0
  const drawn = { ...given, state: presented, columns, conditions, isUnfiltered }
  const { definition, services } = opened
  const base = services.href(definition.table.name)
  const formatter = formatterFor(reader)
  const { rows, except, zoned } = drawRows({ ...drawn, open: opened, list: base }, formatter)
  const written = fold.written(state)
  const href = hrefOf(fold, base, state, written)
  const key = fold.conditionsIn(written)
  const conditionsKey = () => key
  const all = fold.concerns.map((one, at) => ({
    one,
    input: { ...drawn, data: drawn.loaded[at], href, conditionsKey },
  }))
  const parts: ListParts = together(all.map(({ one, input }) => one.view(input)))
  const sums = drawSums(drawn, columns, formatter)
  const heads = all.filter(({ one }) => one.head)
  const { label } = definition
  return {
    ...(rows.length === 0 && {
      nothing: drawNothing({ ...parts, label, href: base }, reader),
    }),
    name: definition.table.name,
    label,
    ...(definition.help !== undefined && { help: definition.help }),
    href: base,
    columns: columns.map((column, place) => ({
      ...drawHead(column, heads),
      ...(beginsAlike(rows, place) && { endsTell: true }),
      ...(zoned.includes(place) && { zone: zoneName(reader) }),
    })),
    rows,
    ...(definition.table.key.length > 0 && {
      records: { from: fromOf(fold, state, written), ...(except.length > 0 && { except }) },
    }),
    ...(sums.length > 0 && { sums }),
    ...parts,
    params: paramsOf(written),
    readOnly: readOnlyReason(opened, reader),
    ...(mayCreate(opened) && { newHref: `${opened.services.href(opened.access.table.name)}/new` }),
    ...(services.maySwitchChanges?.(opened.access.actor) && {
      changes: opened.takesChanges ? ('allowed' as const) : ('refused' as const),
    }),
    ...drawCorrect(base, opened, reader),
    ...(mayMove(drawn.page) && { unordered: messagesFor(reader.language).reasons.unordered }),
    slow: toldOf(all) ?? slowReason(drawn, parts, all),
    // What indexes serve depends on how many rows there are, hidden ones among them.
    advice: opened.access.seesAllRows ? (drawn.page.advice ?? null) : null,
  }
}

/** A concern, and the input of its part of the view. */
type Drawing = { readonly one: AnyConcern; readonly input: PartInput<ListState, unknown> }

/** Addresses of the listing with other state, reset as after a change of the rows. */
export const hrefOf =
  (
    fold: ListFold,
    base: string,
    state: ListState,
    written: ListAddress,
  ): PartInput<ListState>['href'] =>
  (change, { keepsRows = false } = {}) => {
    const changed = { ...(keepsRows ? {} : fold.reset), ...change }
    return hrefTo(base, fold.rewritten(written, { ...state, ...changed }, changed))
  }

const drawHead = (column: ColumnDefinition, heads: readonly Drawing[]): ColumnView =>
  together(heads.map(({ one, input }) => one.head?.(column, input)))

/** Longest `from` in a record's address, in characters after percent-encoding. */
const FROM_MAX = 4000

/** The query of the listing that records lead back to, as far as it fits. */
function fromOf(fold: ListFold, state: ListState, written: ListAddress): string {
  const fits = (query: string) => encodeURIComponent(query).length <= FROM_MAX
  const query = queryOf(written)
  if (fits(query)) return query
  const place = { place: FIRST_PLACE }
  const first = queryOf(fold.rewritten(written, { ...state, ...place }, place))
  return fits(first) ? first : ''
}

function drawSums(
  { page, opened }: Pick<Drawn, 'page' | 'opened'>,
  columns: readonly ColumnDefinition[],
  formatter: Formatter,
): NonNullable<TableView['sums']> {
  return columns.flatMap((column, place) => {
    const { summary } = column
    if (!summary || page.rows.length === 0) return []
    const isMoney = kindOf(column).summary?.isMoney
    const values = valuesAsWritten(column, page.rows, place)
    if (hasCurrency(column)) {
      const from = readColumns(columns, opened).indexOf(column.currency)
      if (from < 0) return { place, kind: summary, ...noSum('unknownCurrency', formatter) }
      const currencies = page.rows.map((row) => row.values[from] ?? null)
      return { place, kind: summary, ...summaryByCurrency(column, values, currencies, formatter) }
    }
    if (isFixed(column))
      return { place, kind: summary, ...summaryOfFixed(column, values, formatter) }
    const text = (summary === 'sum' ? sumText : meanText)(values, formatter, isMoney)
    return { place, kind: summary, ...summaryOf(text, formatter) }
  })
}

/** Administrators correct what is inferred, and nobody else is told of it. */
const drawCorrect = (
  base: string,
  { access }: OpenTable,
  { language }: Reader,
): Pick<TableView, 'correct'> =>
  access.actor.role === 'admin'
    ? { correct: { href: `${base}/corrections`, ...messagesFor(language).corrections.menu } }
    : {}

const mayCreate = ({ definition: { table, write }, access, takesChanges }: OpenTable): boolean =>
  takesChanges && write && writesTaken(table).includes('create') && access.may('create')

/** Whether a row may be missed on one page and shown again on another. */
const mayMove = ({ unordered, before, after }: RowPage): boolean =>
  unordered === true && (before || after)

/** Why the page shows other rows than were asked for; `null` if it does not. */
function toldOf(all: readonly Drawing[]): string | null {
  for (const { one, input } of all) {
    const told = one.told?.(input)
    if (told) return told
  }
  return null
}

/** Why the page was slow, as the first concern that slows it down says; `null` if it was not. */
function slowReason(
  { page, opened }: Pick<Drawn, 'page' | 'opened'>,
  { total }: Pick<ListParts, 'total'>,
  all: readonly Drawing[],
): string | null {
  const rows = opened.definition.table.estimate ?? ('count' in total ? total.count : 0)
  if (page.indexed || rows < SLOW_ROWS || !opened.access.seesAllRows) return null
  for (const { one, input } of all) {
    const reason = one.slow?.(input)
    if (reason) return reason
  }
  return null
}
