/** Makes each table's definition from what is declared, and infers the rest from its schema. */

import type { TableRules } from '../changes/table-rules.ts'
import { factsOf, namesPosition } from './column-facts.ts'
import { type Definitions, own, readSort, type TableOptions } from './define-table.ts'
import { fileColumn } from './file-column.ts'
import {
  currencyOf,
  currencySign,
  fixedCurrencyOf,
  isMinorWord,
  minorUnitOf,
  withoutMinorUnit,
} from './currency.ts'
import { inferShown, labelsFirst } from './first-columns.ts'
import { creationOf, inferSort } from './first-order.ts'
import { pairedType } from './guessed-links.ts'
import { humanize, splitUnit, withoutSuffix, wordsOf } from './humanize.ts'
import type { Kind } from './kind.ts'
import { BUILT_IN, KINDS, type Kinds } from './kinds.ts'
import { labelColumnsOf } from './label-column.ts'
import { PAGE_SIZES } from './page-size.ts'
import type { Column, ForeignKey, Table, ValueType } from '../source/schema.ts'
import { kindIn, linkIn, optionsOf, type Scope, scopesOf } from './scope.ts'
import { inferSoftDelete } from './soft-delete.ts'
import type { ColumnDefinition, ReorderDefinition, TableDefinition } from './table-definition.ts'

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
  const labels = new Map(scopes.map((scope) => [scope.table.name, labelColumnsOf(scope)]))
  return new Map(scopes.map((scope) => [scope.table.name, inferTable(scope, labels)]))
}

/** The columns that name the rows of each table. */
export type Labels = ReadonlyMap<string, readonly string[]>

export function inferTable(scope: Scope, labels: Labels): TableDefinition {
  const { table, options } = scope
  const help = (options.help ?? table.comment)?.trim()
  const columns = new Map(
    table.columns.map((column) => [column.name, inferColumn(column, scope, labels)]),
  )
  const labelColumns = labels.get(table.name) ?? []
  const names = new Set(columns.keys())
  return {
    table,
    label: options.label ?? humanize(table.name),
    ...(help && { help }),
    hidden: options.hidden ?? false,
    write: options.write ?? true,
    columns,
    labelColumn: labelColumns[0],
    labelColumns,
    ...withReorder(inferReorder(scope)),
    ...inferSoftDelete(scope),
    defaultSort: options.sort === undefined ? inferSort(scope) : readSort(options.sort, names),
    pageSize: options.pageSize ?? PAGE_SIZES[0],
    ...(options.filters && { filters: options.filters }),
    ...(options.filterSlideDownDefaultVisible && { filterSlideDownDefaultVisible: true }),
    bulkActions: options.bulkActions ?? true,
    hideBulkActionsWhenEmpty: options.hideBulkActionsWhenEmpty ?? false,
    defaultColumns: options.shown
      ? labelsFirst(options.shown, labelColumns, scope)
      : inferShown(scope, columns, labelColumns, creationOf(scope)),
    ...(options.form && { form: options.form }),
    rules: rulesOf(options),
    actions: options.actions ?? {},
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
  const kind = kindIn(column, scope)
  const field = options.field ?? (KINDS.includes(kind) ? undefined : kind.name)
  const maskedBy = masked.get(column.name)
  const relation = kind.name === 'relation' ? linkIn(column, scope) : undefined
  const isGuess = relation !== undefined && scope.guesses.get(column.name) === relation
  const typedBy = pairedType(column, table)
  const file = fileColumn(options, column)
  const help = (options.help ?? column.comment)?.trim()
  const isMoney = kind.summary?.isMoney ?? false
  const minorUnit = isMoney ? minorUnitIn(column, scope) : undefined
  const fixedCurrency = isMoney ? fixedCurrencyOf(column, options, minorUnit) : undefined
  const beside = options.currency ?? currencyOf(scope, column.name)
  const currency = isMoney && typeof beside === 'string' ? beside : undefined
  const sign = fixedCurrency && currencySign(fixedCurrency.code)
  // The word for what is stored says nothing about amounts that are shown in the major unit.
  const isStored = fixedCurrency && minorUnit !== undefined && isMinorWord(options.unit, minorUnit)
  const unit = (isStored ? undefined : options.unit) ?? sign ?? splitUnit(column.name).unit
  const summary = options.summary ?? kind.summary?.infer(factsOf(column, table, unit))
  return {
    name: column.name,
    label: options.label ?? labelIn(column, kind, scope),
    kind: kind.name,
    ...(!KINDS.includes(kind) && { ownKind: kind }),
    ...(field !== undefined && { field }),
    // Whoever can write a row could make readers load something, so a guess is not enough.
    ...(kind.showsPictures && options.kind !== undefined && { loads: true as const }),
    ...(file && { file }),
    ...(options.values && { values: new Map(Object.entries(options.values)) }),
    ...(unit && { unit }),
    ...(help && { help }),
    hidden: hidden.has(column.name),
    ...(own(scope.options.columns, column.name)?.hidden === false && { isDeclared: true as const }),
    ...(maskedBy !== undefined && { maskedBy }),
    sortable: maskedBy === undefined && (options.sortable ?? (!file && isSortableType(column))),
    ...(relation && !isShownByKey(relation, labels) && { showsLabels: true as const }),
    searchable:
      maskedBy === undefined &&
      (options.searchable ?? (relation !== undefined || (!file && isSearchableType(column)))),
    ...(summary && summary !== 'none' && { summary }),
    ...(column.isPadded && { isPadded: true }),
    ...(currency !== undefined && { currency }),
    ...(fixedCurrency && { fixedCurrency }),
    ...(minorUnit !== undefined && { minorUnit }),
    ...(isMoney && column.scale !== undefined && { digits: Math.max(0, column.scale) }),
    ...(column.namedScale !== undefined && { namedScale: column.namedScale }),
    ...(relation && { relation }),
    ...(isGuess && { isGuess: true as const }),
    ...(typedBy !== undefined && !hidden.has(typedBy) && { typedBy }),
  }
}

/** The declared unit, else that of its name. */
function minorUnitIn(column: Column, scope: Scope): string | undefined {
  const { minorUnit = namedMinorUnit(column, scope) } = optionsOf(column, scope)
  return minorUnit || undefined
}

const namedMinorUnit = (column: Column, scope: Scope): string | undefined =>
  minorUnitOf(column, scope.table, typeof optionsOf(column, scope).currency === 'object')

/** Whether people see the stored key, which is then what they expect rows to be ordered by. */
function isShownByKey({ table, references }: ForeignKey, labels: Labels): boolean {
  const named = labels.get(table)
  return named !== undefined && [undefined, references[0]].includes(named[0])
}

/** `is_published` as “Published”, unless another column is called so, as `published_at` is. */
function labelIn(column: Column, kind: Kind, scope: Scope): string {
  const short = shortLabel(column, kind, scope)
  const long = shortLabel(column, { ...kind, beginnings: [] }, scope)
  const labelOf = (other: Column) =>
    optionsOf(other, scope).label ?? shortLabel(other, kindIn(other, scope), scope)
  const isTaken =
    short !== long &&
    scope.table.columns.some((other) => other !== column && labelOf(other) === short)
  return isTaken ? long : short
}

/** The name without the unit and the words that only say what kind of value it is. */
function shortLabel(column: Column, kind: Kind, scope: Scope): string {
  const { beginnings = [], endings = [] } = kind
  const whole = nameWithoutUnit(column, kind, scope)
  const [first = '', ...rest] = wordsOf(whole)
  const isLeftOut = rest.length > 0 && beginnings.includes(first)
  return humanize(withoutSuffix(isLeftOut ? rest.join('_') : whole, endings))
}

function nameWithoutUnit(column: Column, { summary }: Kind, scope: Scope): string {
  const isNamed = namedMinorUnit(column, scope) !== undefined
  if (summary?.isMoney && isNamed && minorUnitIn(column, scope) !== undefined)
    return withoutMinorUnit(column.name)
  const { name, unit } = splitUnit(column.name)
  return (optionsOf(column, scope).unit ?? unit) ? name : column.name
}
