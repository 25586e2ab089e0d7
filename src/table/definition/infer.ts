/** Makes each table's definition from what is declared, and infers the rest from its schema. */

import type { TableRules } from '../changes/table-rules.ts'
import { asDeclared, factsOf, namesPosition } from './column-facts.ts'
import { inferKind, isUuidColumn } from './column-kind.ts'
import {
  type ColumnOptions,
  type Definitions,
  own,
  readSort,
  type TableOptions,
} from './define-table.ts'
import { humanize, splitUnit, withoutSuffix, wordsOf } from './humanize.ts'
import type { Kind } from './kind.ts'
import { BUILT_IN, KINDS, kindOf, type Kinds } from './kinds.ts'
import { linkOf } from './kinds/relation.ts'
import { PAGE_SIZES } from './page-size.ts'
import type { SortColumn } from '../source/row-source.ts'
import type { Column, ForeignKey, Table, ValueType } from '../source/schema.ts'
import { inferSoftDelete } from './soft-delete.ts'
import { type SecretReason, secretReason } from './secret-columns.ts'
import type { ColumnDefinition, ReorderDefinition, TableDefinition } from './table-definition.ts'

/** Columns shown at first; more are one click away. */
const FIRST_COLUMNS = 12

const LABEL_NAMES = [
  'name',
  'title',
  'label',
  'full_name',
  'display_name',
  'subject',
  'number',
  'reference',
  'email',
  'code',
  'slug',
]
/** For tables of people, who share titles and first names. */
const PERSON_NAMES = ['name', 'full_name', 'display_name', 'email', 'last_name', 'surname']
/** Words of a postal address, such as `billing_city`, which names no row. */
const ADDRESS_WORDS = new Set([
  'address',
  'street',
  'city',
  'state',
  'country',
  'zip',
  'code',
  'phone',
  'fax',
  'first',
  'info',
])
const LABEL_ENDINGS = new Set(['name', 'title'])
const CREATED = new Set(['created', 'inserted', 'added'])

/** Types whose values have no meaningful order, and types that a search can read. */
const UNSORTABLE: ReadonlySet<ValueType> = new Set(['json', 'binary'])
const SEARCHABLE: ReadonlySet<ValueType> = new Set([
  'text',
  'json',
  'date',
  'datetime',
  'integer',
  'decimal',
  'float',
])

export const isSortableType = ({ type, isUnordered = false }: Column): boolean =>
  !UNSORTABLE.has(type) && !isUnordered

/** A search reads no arrays, except those of an enum's words, such as MySQL's sets. */
export const isSearchableType = ({ type, array, isListed }: Column): boolean =>
  SEARCHABLE.has(type) && (array !== true || isListed === true)

/** The definitions of all tables, by name. The declarations have been checked. */
export function inferTables(
  tables: readonly Table[],
  declared: Definitions = {},
  kinds: Kinds = BUILT_IN,
): Map<string, TableDefinition> {
  const scopes = scopesOf(tables, declared, kinds)
  const labels = new Map(scopes.map((scope) => [scope.table.name, labelColumnOf(scope)]))
  return new Map(scopes.map((scope) => [scope.table.name, inferTable(scope, labels)]))
}

/** What the definition of each table is made from. */
export const scopesOf = (
  tables: readonly Table[],
  declared: Definitions,
  kinds: Kinds,
): readonly Scope[] =>
  tables.map((table) => {
    const options = own(declared, table.name) ?? {}
    const hidden = new Set<string>()
    const masked = new Map<string, string>()
    for (const column of table.columns) {
      const reason = hiddenReason(column, table, tables, options)
      if (reason?.by === 'setting') masked.set(column.name, reason.column)
      else if (reason) hidden.add(column.name)
    }
    return { table: withoutSamples(table, masked), options, kinds, hidden, masked }
  })

/** Nothing is inferred from values of which some are masked. */
const withoutSamples = (table: Table, masked: ReadonlyMap<string, string>): Table =>
  masked.size === 0
    ? table
    : {
        ...table,
        columns: table.columns.map((one) => (masked.has(one.name) ? asDeclared(one) : one)),
      }

/** A table with its options and the names of its hidden columns. */
export type Scope = {
  readonly table: Table
  readonly options: TableOptions
  readonly kinds: Kinds
  readonly hidden: ReadonlySet<string>
  /** The columns some of whose values are masked, each with the one that names them. */
  readonly masked: ReadonlyMap<string, string>
}

/** The column that names the rows of each table. */
export type Labels = ReadonlyMap<string, string | undefined>

/**
 * Why the column is hidden, or masked in some rows: because an option says so, or by default because it
 * looks secret; `undefined` if it is neither.
 */
export function hiddenReason(
  column: Column,
  table: Table,
  tables: readonly Table[],
  { columns }: TableOptions,
): SecretReason | undefined {
  const declared = own(columns, column.name)?.hidden
  if (declared === undefined) return secretReason(column, table, tables)
  return declared ? { by: 'declared' } : undefined
}

export function inferTable(scope: Scope, labels: Labels): TableDefinition {
  const { table, options } = scope
  const help = (options.help ?? table.comment)?.trim()
  const columns = new Map(
    table.columns.map((column) => [column.name, inferColumn(column, scope, labels)]),
  )
  const labelColumn = labels.get(table.name)
  const names = new Set(columns.keys())
  return {
    table,
    label: options.label ?? humanize(table.name),
    ...(help && { help }),
    hidden: options.hidden ?? false,
    write: options.write ?? true,
    columns,
    labelColumn,
    ...withReorder(inferReorder(scope)),
    ...inferSoftDelete(scope),
    defaultSort: options.sort === undefined ? inferSort(scope) : readSort(options.sort, names),
    pageSize: options.pageSize ?? PAGE_SIZES[0],
    ...(options.filters && { filters: options.filters }),
    ...(options.filterSlideDownDefaultVisible && { filterSlideDownDefaultVisible: true }),
    bulkActions: options.bulkActions ?? true,
    hideBulkActionsWhenEmpty: options.hideBulkActionsWhenEmpty ?? false,
    defaultColumns: options.shown ?? inferShown(scope, columns, labelColumn),
    ...(options.form && { form: options.form }),
    rules: rulesOf(options),
  }
}

const rulesOf = ({ rules, changing, changed }: TableOptions): TableRules => ({
  ...(rules && { rules }),
  ...(changing && { changing }),
  ...(changed && { changed }),
})

const withReorder = (reorder: ReorderDefinition | undefined) => reorder && { reorder }

/** Types of columns that can keep an order. */
const ORDERING: ReadonlySet<ValueType> = new Set(['integer', 'decimal', 'float'])

/** Whether a column can keep the order of its rows. */
export const keepsOrder = ({ name, type, array, generated }: Column, { key }: Table): boolean =>
  ORDERING.has(type) && !array && !generated && !key.includes(name)

/** By the declared column, else by one whose name says that it holds positions. */
function inferReorder({ table, options, hidden, masked }: Scope): ReorderDefinition | undefined {
  const { reorder } = options
  const isKeyed = table.key.length > 0 && !table.isKeyDeclared
  if (reorder === false || table.kind !== 'table' || !isKeyed) return undefined
  if (reorder)
    return {
      column: reorder.column,
      within: [reorder.within ?? []].flat(),
      descending: reorder.descending ?? false,
      hidesColumn: reorder.hideColumnUnlessReordering ?? false,
    }
  const linked = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  const column = table.columns.find(
    (one) =>
      namesPosition(wordsOf(one.name)) &&
      one.type !== 'float' &&
      keepsOrder(one, table) &&
      !linked.has(one.name) &&
      !hidden.has(one.name) &&
      !masked.has(one.name),
  )?.name
  if (column === undefined) return undefined
  const within = withinOf(column, table).filter((name) => !hidden.has(name))
  return { column, within, descending: false, hidesColumn: false }
}

/** The parents of a position that is unique only among the rows of one parent. */
function withinOf(column: string, { uniques = [], indexes }: Table): readonly string[] {
  const sets = [
    ...uniques,
    ...indexes
      .filter(({ unique, partial }) => unique && !partial)
      .map(({ columns }) => columns.map(({ name }) => name)),
  ]
  return sets.find((names) => names.includes(column))?.filter((name) => name !== column) ?? []
}

function inferColumn(column: Column, scope: Scope, labels: Labels): ColumnDefinition {
  const { table, hidden, masked } = scope
  const options = optionsOf(column, scope)
  const split = splitUnit(column.name)
  const unit = options.unit ?? split.unit
  const kind = kindIn(column, scope)
  const field = options.field ?? (KINDS.includes(kind) ? undefined : kind.name)
  const maskedBy = masked.get(column.name)
  const relation = kind.name === 'relation' ? linkOf(column, table) : undefined
  const help = (options.help ?? column.comment)?.trim()
  const summary = options.summary ?? kind.summary?.infer(factsOf(column, table, unit))
  return {
    name: column.name,
    label: options.label ?? labelOf(unit ? split.name : column.name, kind),
    kind: kind.name,
    ...(!KINDS.includes(kind) && { ownKind: kind }),
    ...(field !== undefined && { field }),
    // Whoever can write a row could make readers load something, so a guess is not enough.
    ...(kind.showsPictures && options.kind !== undefined && { loads: true as const }),
    ...(unit && { unit }),
    ...(help && { help }),
    hidden: hidden.has(column.name),
    ...(own(scope.options.columns, column.name)?.hidden === false && { isDeclared: true as const }),
    ...(maskedBy !== undefined && { maskedBy }),
    sortable: maskedBy === undefined && (options.sortable ?? isSortableType(column)),
    ...(relation && !isShownByKey(relation, labels) && { showsLabels: true as const }),
    searchable:
      maskedBy === undefined &&
      (options.searchable ?? (relation !== undefined || isSearchableType(column))),
    ...(summary && summary !== 'none' && { summary }),
    ...(column.isPadded && { isPadded: true }),
    ...(kind.summary?.isMoney &&
      column.scale !== undefined && { digits: Math.max(0, column.scale) }),
    ...(column.namedScale !== undefined && { namedScale: column.namedScale }),
    ...(relation && { relation }),
  }
}

const optionsOf = ({ name }: Column, { options }: Scope): ColumnOptions =>
  own(options.columns, name) ?? {}

/** The options have been checked, so a declared kind exists. */
function kindIn(column: Column, scope: Scope): Kind {
  const { table, kinds } = scope
  const declared = optionsOf(column, scope).kind
  const found = declared === undefined ? undefined : kinds.byName.get(declared)
  return found ?? inferKind(column, table, splitUnit(column.name).unit, kinds)
}

/** Whether people see the stored key, which is then what they expect rows to be ordered by. */
function isShownByKey({ table, references }: ForeignKey, labels: Labels): boolean {
  return labels.has(table) && [undefined, references[0]].includes(labels.get(table))
}

const labelOf = (name: string, { endings = [] }: Kind): string =>
  humanize(withoutSuffix(name, endings))

const isOfAddress = (name: string): boolean => wordsOf(name).some((word) => ADDRESS_WORDS.has(word))

/** The column that names a row: one with a usual name, else the first short text. */
export function labelColumnOf(scope: Scope): string | undefined {
  const { table, options, hidden, masked } = scope
  if (options.labelColumn !== undefined) return options.labelColumn ?? undefined
  const linked = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  const texts = table.columns.filter(
    ({ name, type, array }) =>
      type === 'text' && !array && !linked.has(name) && !hidden.has(name) && !masked.has(name),
  )
  const rowName = wordsOf(table.name).join('_').replace(/s$/, '')
  const textCalled = (wanted: string) =>
    texts.find(({ name }) => wordsOf(name).join('_') === wanted)
  const isPerson = textCalled('last_name') ?? textCalled('surname')
  const names = isPerson ? PERSON_NAMES : [...LABEL_NAMES, `${rowName}_number`, rowName]
  const named = names.map(textCalled).find(Boolean)
  const ending = texts.find(({ name }) => LABEL_ENDINGS.has(wordsOf(name).at(-1) ?? ''))
  const short = texts.filter(
    (column) =>
      !column.allowed && !isUuidColumn(column, table) && kindIn(column, scope).namesRows === true,
  )
  const first = short.find(({ name }) => !isOfAddress(name) || wordsOf(name).length === 1)
  return (named ?? ending ?? first)?.name
}

/** By a column of positions, else newest first by an indexed date, else by key. */
function inferSort({ table, hidden }: Scope): SortColumn[] {
  const columns = table.columns.filter(({ name }) => !hidden.has(name))
  const position = columns.find(
    ({ name, type }) => type === 'integer' && namesPosition(wordsOf(name)),
  )
  if (position) return [{ column: position.name, descending: false }]
  const dated = columns.filter(
    ({ name, type }) =>
      (type === 'date' || type === 'datetime') &&
      table.indexes.some((index) => !index.partial && index.columns[0]?.name === name),
  )
  const newest = dated.find(({ name }) => CREATED.has(wordsOf(name)[0] ?? '')) ?? dated[0]
  if (newest) return [{ column: newest.name, descending: true }]
  return table.key
    .filter((column) => !hidden.has(column))
    .map((column) => ({ column, descending: false }))
}

/**
 * The label first, then the others in the order of the schema, late kinds last; a key beside a
 * label is left out.
 */
function inferShown(
  { table, hidden }: Scope,
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
    .filter((name) => name !== labelColumn && !isSurrogate(name) && !hidden.has(name))
  const late = (name: string) => {
    const column = columns.get(name)
    return column && kindOf(column).isShownLast ? 1 : 0
  }
  const ordered = others.toSorted((a, b) => late(a) - late(b))
  return [...(labelColumn === undefined ? [] : [labelColumn]), ...ordered].slice(0, FIRST_COLUMNS)
}
