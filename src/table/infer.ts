/** Infers a table's definition from its schema: what anything not declared looks like. */

import type { ColumnKind } from '../protocol/table-view.ts'
import { humanize, splitUnit, withoutSuffix, wordsOf } from './humanize.ts'
import type { SortColumn } from './row-source.ts'
import type { Column, ForeignKey, Table } from './schema.ts'
import type { ColumnDefinition, TableDefinition } from './table-definition.ts'

/** Columns shown at first; more are one click away. */
const FIRST_COLUMNS = 12

const LABEL_NAMES = [
  'name',
  'title',
  'label',
  'full_name',
  'display_name',
  'subject',
  'email',
  'code',
  'slug',
]
const MONEY = new Set([
  'price',
  'cost',
  'amount',
  'total',
  'fee',
  'balance',
  'salary',
  'revenue',
  'budget',
])
const LONG_TEXT = new Set([
  'description',
  'notes',
  'note',
  'remarks',
  'remark',
  'body',
  'content',
  'comment',
  'bio',
  'narrative',
])
const CURRENCIES = new Set(['$', '€', '£'])
const POSITIONS = new Set(['position', 'sort', 'sort_order', 'rank', 'ordinal'])

/**
 * The whole definition of a table nobody has declared anything about. `tables` are all there are:
 * what those that it refers to are named by decides how they are shown.
 */
export function inferTable(table: Table, tables: readonly Table[] = [table]): TableDefinition {
  const labelColumn = inferLabelColumn(table)
  const columns = new Map(
    table.columns.map((column) => [column.name, inferColumn(table, column, tables)]),
  )
  return {
    table,
    label: humanize(table.name),
    columns,
    labelColumn,
    defaultSort: inferSort(table),
    defaultColumns: inferColumns(table, columns, labelColumn),
  }
}

/** The column that names a row: one called like it, else the first short text. */
export function inferLabelColumn({ columns, foreignKeys }: Table): string | undefined {
  const linked = new Set(foreignKeys.flatMap(({ columns }) => columns))
  const texts = columns.filter(({ name, type }) => type === 'text' && !linked.has(name))
  const named = LABEL_NAMES.map((wanted) =>
    texts.find(({ name }) => wordsOf(name).join('_') === wanted),
  )
  const ending = texts.find(({ name }) => ['name', 'title'].includes(wordsOf(name).at(-1) ?? ''))
  const short = texts.find((column) => !column.allowed && !isLongText(column))
  return (named.find(Boolean) ?? ending ?? short)?.name
}

function inferColumn(table: Table, column: Column, tables: readonly Table[]): ColumnDefinition {
  const relation = table.foreignKeys.find(
    ({ columns }) => columns.length === 1 && columns[0] === column.name,
  )
  const { name, unit } = splitUnit(column.name)
  const kind = relation ? 'relation' : inferKind(table, column, unit)
  const summary = inferSummary(kind, unit)
  return {
    name: column.name,
    label: labelOf(name, kind),
    kind,
    ...(unit !== undefined && { unit }),
    sortable: kind !== 'json' && kind !== 'binary' && (!relation || isShownByKey(relation, tables)),
    searchable:
      column.type === 'text' ||
      column.type === 'json' ||
      column.type === 'date' ||
      column.type === 'datetime',
    ...(summary && { summary }),
    ...(relation && { relation }),
  }
}

/** Rows are ordered by the key that a column holds, which is an order to see only where it is shown. */
function isShownByKey({ table, references }: ForeignKey, tables: readonly Table[]): boolean {
  const other = tables.find(({ name }) => name === table)
  const label = other && inferLabelColumn(other)
  return other !== undefined && (label === undefined || label === references[0])
}

function labelOf(name: string, kind: ColumnKind): string {
  if (kind === 'relation') return humanize(withoutSuffix(name, ['id', 'code', 'key']))
  if (kind === 'date' || kind === 'datetime') return humanize(withoutSuffix(name, ['on', 'at']))
  return humanize(name)
}

function inferKind(table: Table, column: Column, unit: string | undefined): ColumnKind {
  if (table.key.includes(column.name)) return 'key'
  const words = wordsOf(column.name)
  if (column.type === 'text') return inferTextKind(column, words)
  if (column.type === 'integer' || column.type === 'decimal' || column.type === 'float')
    return isMoney(words, unit)
      ? 'money'
      : words.at(-1) === 'id' || words.at(-1) === 'year'
        ? 'key'
        : 'number'
  return column.type
}

function inferTextKind(column: Column, words: readonly string[]): ColumnKind {
  const last = words.at(-1) ?? ''
  if (column.allowed && ['status', 'state', 'stage'].includes(last)) return 'status'
  if (words.includes('email') || words.join('') === 'mail') return 'email'
  if (['url', 'link', 'website', 'homepage'].includes(last)) return 'link'
  return isLongText(column) ? 'longtext' : 'text'
}

const isLongText = ({ name, allowed }: Column): boolean =>
  !allowed && LONG_TEXT.has(wordsOf(name).at(-1) ?? '')

const isMoney = (words: readonly string[], unit: string | undefined): boolean =>
  unit === undefined ? words.some((word) => MONEY.has(word)) : CURRENCIES.has(unit)

/** Money adds up; other measured quantities have a mean that says something. */
function inferSummary(kind: ColumnKind, unit: string | undefined): 'sum' | 'mean' | undefined {
  if (kind === 'money') return 'sum'
  return kind === 'number' && unit !== undefined ? 'mean' : undefined
}

/** Hand-ordered rows by hand, dated rows newest first, others by key. */
function inferSort({ columns, indexes, key }: Table): SortColumn[] {
  const position = columns.find(
    ({ name, type }) => type === 'integer' && POSITIONS.has(wordsOf(name).join('_')),
  )
  if (position) return [{ column: position.name, descending: false }]
  const dated = columns.find(
    ({ name, type }) =>
      (type === 'date' || type === 'datetime') &&
      indexes.some((index) => !index.partial && index.columns[0]?.name === name),
  )
  if (dated) return [{ column: dated.name, descending: true }]
  return key.map((column) => ({ column, descending: false }))
}

/** The label first, then what stands in the schema; bare numbers that only identify come last. */
function inferColumns(
  table: Table,
  columns: ReadonlyMap<string, ColumnDefinition>,
  labelColumn: string | undefined,
): string[] {
  const isSurrogate = (name: string) =>
    labelColumn !== undefined &&
    table.key.length === 1 &&
    table.key[0] === name &&
    columns.get(name)?.kind === 'key'
  const others = table.columns
    .map(({ name }) => name)
    .filter((name) => name !== labelColumn && !isSurrogate(name))
  const late = (name: string) => (['json', 'binary'].includes(columns.get(name)!.kind) ? 1 : 0)
  const ordered = others.toSorted((a, b) => late(a) - late(b))
  return [...(labelColumn === undefined ? [] : [labelColumn]), ...ordered].slice(0, FIRST_COLUMNS)
}
