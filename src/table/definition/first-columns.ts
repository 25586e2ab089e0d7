/** Which columns of a table stand first. */

import { type Column, isUniqueColumn } from '../source/schema.ts'
import { setOf } from './column-facts.ts'
import { currencyOf } from './currency.ts'
import { wordsOf } from './humanize.ts'
import { kindOf } from './kinds.ts'
import { ownWords } from './own-words.ts'
import { isConstant, isEmpty, isForMachines } from './sample-facts.ts'
import type { Scope } from './scope.ts'
import type { ColumnDefinition } from './table-definition.ts'

/** Columns shown at first; more are one click away. */
const FIRST_COLUMNS = 12
/** Most states that stand before the other columns. */
const STATES = 3

/** What a column is for, in the order in which columns stand. */
const RANKS = [
  'naturalKey',
  'label',
  'state',
  'amount',
  'currency',
  'reference',
  'newest',
  'other',
  'foreignId',
  'long',
  'bookkeeping',
  'constant',
  'empty',
] as const
type Rank = (typeof RANKS)[number]

/** What the ranks of a table's columns follow from. */
type Ranking = {
  readonly scope: Scope
  readonly columns: ReadonlyMap<string, ColumnDefinition>
  readonly labels: readonly string[]
  /** The column that says when a row came. */
  readonly newest: string | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
}

/**
 * Declared columns: what names a row, which leads to its page, comes first, or after a natural key alone. A row
 * without a name is called by its key.
 */
export function labelsFirst(
  shown: readonly string[],
  names: readonly string[],
  scope: Scope,
): readonly string[] {
  const labels = names.length > 0 ? names : scope.table.key
  const before = shown.slice(
    0,
    Math.max(
      0,
      shown.findIndex((name) => labels.includes(name)),
    ),
  )
  if (before.every((name) => isNaturalKey(name, scope))) return shown
  return [
    ...shown.filter((name) => labels.includes(name)),
    ...shown.filter((name) => !labels.includes(name)),
  ]
}

/**
 * The natural key and the label, the state, the amount with its currency, references, and when the row came;
 * then the others in the order of the schema, those that say little last. A key beside a label is left out.
 */
export function inferShown(
  scope: Scope,
  columns: ReadonlyMap<string, ColumnDefinition>,
  labels: readonly string[],
  newest: string | undefined,
): string[] {
  const { table, hidden } = scope
  const amount = amountOf(scope, columns)
  const ranking = { scope, columns, labels, newest, amount, currency: currencyOf(scope, amount) }
  const shown = table.columns
    .filter(({ name }) => !hidden.has(name) && !isSurrogate(name, ranking))
    .map((column) => ({ name: column.name, rank: rankOf(column, ranking) }))
  const states = shown.filter(({ rank }) => rank === 'state').slice(STATES)
  const ordered = shown
    .map((one) => ({ ...one, rank: states.includes(one) ? ('other' as const) : one.rank }))
    .toSorted(
      (a, b) =>
        RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) ||
        labels.indexOf(a.name) - labels.indexOf(b.name),
    )
  return ordered.map(({ name }) => name).slice(0, FIRST_COLUMNS)
}

/** A key that says nothing beside a label. */
const isSurrogate = (name: string, { scope, columns, labels }: Ranking): boolean =>
  labels.length > 0 &&
  !labels.includes(name) &&
  scope.table.key.length === 1 &&
  scope.table.key[0] === name &&
  columns.get(name)?.kind === 'key' &&
  !isNaturalKey(name, scope)

/** The words by which columns are told. */
const WORDS = {
  states: setOf('status state stage'),
  naturalKeys: setOf('number no code sku reference ref isbn ean upc symbol iata icao'),
  keys: setOf('id uid'),
  changes: setOf('updated update modified changed deleted removed'),
  /** Words that may stand beside those of changes. */
  besides: setOf('at on by date time last row record unix version'),
}
const LONG_KINDS = setOf('longtext json binary')

/** A column with what is known of it. */
type Asked = Ranking & {
  readonly column: Column
  readonly name: string
  readonly kind: string
  readonly last: string
  readonly definition: ColumnDefinition | undefined
}

const isOneOfLabels = ({ labels, name }: Asked): boolean => labels.includes(name)

/** The ranks with what tells them, in the order in which they are tried: the first that holds decides. */
const TESTS: readonly (readonly [Rank, (asked: Asked) => boolean])[] = [
  ['label', (asked) => isOneOfLabels(asked) && asked.labels.length > 1],
  ['naturalKey', ({ name, scope }) => isNaturalKey(name, scope)],
  [
    'naturalKey',
    ({ name, scope, labels }) => labels.length === 0 && scope.table.key.includes(name),
  ],
  ['label', isOneOfLabels],
  ['empty', ({ column }) => isEmpty(column)],
  ['state', ({ kind }) => kind === 'status'],
  ['state', ({ column, last }) => column.type === 'integer' && WORDS.states.has(last)],
  ['amount', ({ name, amount }) => name === amount],
  ['currency', ({ name, currency }) => name === currency],
  ['constant', ({ column }) => isConstant(column)],
  ['reference', ({ kind, definition }) => kind === 'relation' || definition?.typedBy !== undefined],
  ['newest', ({ name, newest }) => name === newest],
  ['bookkeeping', ({ name }) => isBookkeeping(name)],
  ['bookkeeping', ({ column, scope }) => isForMachines(column, scope.table)],
  ['long', ({ kind }) => LONG_KINDS.has(kind)],
  ['long', ({ definition }) => definition !== undefined && kindOf(definition).isShownLast === true],
  ['foreignId', ({ kind, last }) => kind === 'key' && WORDS.keys.has(last)],
]

function rankOf(column: Column, ranking: Ranking): Rank {
  const { name } = column
  const definition = ranking.columns.get(name)
  const asked: Asked = {
    ...ranking,
    ...{ column, name, definition, kind: definition?.kind ?? 'text' },
    last: wordsOf(name).at(-1) ?? '',
  }
  return TESTS.find(([, holds]) => holds(asked))?.[0] ?? 'other'
}

/** A text by which people know a row: the key, or what is unique and called a code or a number. */
function isNaturalKey(name: string, { table }: Scope): boolean {
  const column = table.columns.find((one) => one.name === name)
  if (column?.type !== 'text' || isForMachines(column, table)) return false
  if (table.key.length === 1 && table.key[0] === name) return (column.sample?.length ?? 0) > 0
  const last = ownWords(name, table).at(-1) ?? ''
  return isUniqueColumn(column.name, table) && (WORDS.naturalKeys.has(last) || last === 'id')
}

/** Such as `updated_at`, `last_update` or `deleted_on`. */
function isBookkeeping(name: string): boolean {
  const words = wordsOf(name)
  return (
    words.some((word) => WORDS.changes.has(word)) &&
    words.every((word) => WORDS.changes.has(word) || WORDS.besides.has(word))
  )
}

/** Names of the amount that a row is about, in the order in which they are trusted. */
const AMOUNTS: readonly RegExp[] = [
  /^(grand_|line_)?total$/,
  /^total(_|cost|due|price|amount)/,
  /^amount$/,
  /^(list_|sale_|sales_|selling_)?price$/,
  /^(unit_)?(price|cost|amount|fee|salary|balance)/,
  /total$/,
  /(amount|price|cost)s?$/,
  /./,
]

function amountOf(
  { table, hidden }: Scope,
  columns: ReadonlyMap<string, ColumnDefinition>,
): string | undefined {
  const amounts = table.columns.filter(
    (column) =>
      columns.get(column.name)?.kind === 'money' && !hidden.has(column.name) && !isEmpty(column),
  )
  return AMOUNTS.map((test) =>
    amounts.find(({ name }) => test.test(ownWords(name, table).join('_'))),
  ).find(Boolean)?.name
}
