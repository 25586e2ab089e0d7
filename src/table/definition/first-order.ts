/** By which columns the rows of a table are sorted at first. */

import type { SortColumn } from '../source/row-source.ts'
import type { Column, Table, ValueType } from '../source/schema.ts'
import { type ColumnTest, factsOf, namesPosition, setOf } from './column-facts.ts'
import { wordsOf } from './humanize.ts'
import { holdsMoments } from './kinds/datetime.ts'
import { ownWords } from './own-words.ts'
import { isConstant, isDistinct, isFilled } from './sample-facts.ts'
import { linkIn, type Scope } from './scope.ts'

/** Most rows of a table that is sorted by a column that no index serves, by the database's estimate. */
const UNINDEXED_MAX = 10_000

const CREATED = setOf('created creation inserted added registered registration joined signup')
const HAPPENED = setOf(`
  placed ordered posted sent submitted received recorded logged issued opened published occurred started
  start date datetime timestamp time when moment day begin order invoice payment rental
`)
/** Words that only say that a column holds a time. */
const TIME_WORDS = setOf('at on date time datetime timestamp unix ts utc ms')
/** Times of what comes after: changes, ends, and what somebody plans. */
const LATER = setOf(`
  updated update modified modification changed change last latest deleted deletion removed archived expires
  expire expiry expired expiration due deadline required end ends ended stop stopped until valid closed birth
  birthday birthdate born death dob hire hired seen login sync synced approved completed finished available
  scheduled next renew renews reserved banned verified read shipped merged trial cancelled canceled resolved snoozed
  waiting refreshed accessed accepted confirmed revoked
`)

const MOMENTS: ReadonlySet<ValueType> = new Set(['date', 'datetime'])

/** By a position, else newest first, else by the key: the greatest number first. */
export function inferSort(scope: Scope): SortColumn[] {
  const { table, hidden } = scope
  const position = table.columns.find(
    (column) => !hidden.has(column.name) && placesAll(column, scope),
  )
  if (position) return [{ column: position.name, descending: false }]
  const newest = creationOf(scope)
  if (newest !== undefined) return [{ column: newest, descending: true }]
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const descending = table.key.every((name) => types.get(name) === 'integer')
  return table.key.filter((column) => !hidden.has(column)).map((column) => ({ column, descending }))
}

/** Whether it holds the position of a row among all, not within those of a parent. */
function placesAll(column: Column, scope: Scope): boolean {
  const { table } = scope
  const { name, type, sample = [] } = column
  if (type !== 'integer' || !namesPosition(wordsOf(name)) || !isFilled(column)) return false
  return sample.length > 0
    ? isDistinct(column, table) && !isWithin(name, table)
    : !table.columns.some((other) => linkIn(other, scope))
}

/** Whether it is unique only among the rows of a parent. */
const isWithin = (name: string, { uniques = [], indexes }: Table): boolean =>
  [
    ...uniques,
    ...indexes.flatMap(({ unique, columns }) => (unique ? [columns.map((one) => one.name)] : [])),
  ].some((names) => names.length > 1 && names.includes(name))

/** The column that says when a row came: by its name, else by values that rise with the rows. */
export function creationOf({ table, hidden, masked }: Scope): string | undefined {
  const times = table.columns.filter(
    (column) =>
      (MOMENTS.has(column.type) || holdsMoments(factsOf(column, table, undefined))) &&
      !column.array &&
      !hidden.has(column.name) &&
      !masked.has(column.name) &&
      isFilled(column) &&
      !isConstant(column) &&
      isAffordable(column, table),
  )
  const called = (test: ColumnTest) =>
    times.find((column) => test(factsOf(column, table, undefined)))
  const found =
    called(({ words }) => words.some((word) => CREATED.has(word)) && !isLater(words)) ??
    times.find(({ name }) => happened(ownWords(name, table))) ??
    called(({ words, column }) => !isLater(words) && rises(column))
  return found?.name
}

const isLater = (words: readonly string[]): boolean => words.some((word) => LATER.has(word))

/** Such as `order_date`, `placed_at` or `date`; not the day when something is due. */
function happened(words: readonly string[]): boolean {
  const telling = words.filter((word) => !TIME_WORDS.has(word))
  const [only = '', ...more] = telling
  return telling.length === 0 || (more.length === 0 && HAPPENED.has(only))
}

/** Fewest values that show an order, and the share of them that must follow it. */
const RISING = { values: 8, share: 0.95 }

/** Whether the values of the first rows, which are mostly the oldest, rise from row to row. */
function rises({ sample = [] }: Column): boolean {
  const pairs = sample.slice(1).map((value, at) => [sample[at], value] as const)
  const rising = pairs.filter(([before = null, after]) => String(before) <= String(after)).length
  return sample.length >= RISING.values && rising >= pairs.length * RISING.share
}

/** Whether an index serves the order, or the table is small. */
const isAffordable = ({ name }: Column, { indexes, estimate, key }: Table): boolean =>
  key[0] === name ||
  (estimate !== null && estimate <= UNINDEXED_MAX) ||
  indexes.some(({ partial, columns }) => !partial && columns[0]?.name === name)
