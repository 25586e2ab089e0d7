/** The options that declare what was inferred for a table. */

import {
  type ColumnOptions,
  LABEL_MAX,
  readSort,
  type ReorderOptions,
  type TableOptions,
} from './define-table.ts'
import { currencySign } from './currency.ts'
import { SORT_MAX } from '../list/concerns/sort.ts'
import { kindOf } from './kinds.ts'
import { PAGE_SIZES } from './page-size.ts'
import type { SortColumn } from '../source/row-source.ts'
import type { ColumnDefinition, ReorderDefinition, TableDefinition } from './table-definition.ts'

/** The options of an inferred definition, without those that equal the default. */
export function optionsOf(definition: TableDefinition): TableOptions {
  const { label, labelColumns, defaultSort, pageSize, defaultColumns, columns, reorder } =
    definition
  const [labelColumn, ...more] = labelColumns
  const sort = writeSort(defaultSort, new Set(columns.keys()))
  return {
    ...labelled(label),
    ...(labelColumn !== undefined && { labelColumn: more.length > 0 ? labelColumns : labelColumn }),
    ...(sort !== undefined && { sort }),
    ...(pageSize !== PAGE_SIZES[0] && { pageSize }),
    ...(reorder && { reorder: reorderOptions(reorder) }),
    ...(defaultColumns.length > 0 && { shown: defaultColumns }),
    ...(columns.size > 0 && {
      columns: Object.fromEntries(
        [...columns].map(([name, column]) => [name, columnOptions(column)]),
      ),
    }),
  }
}

const reorderOptions = ({
  column,
  within,
  descending,
  hidesColumn,
}: ReorderDefinition): ReorderOptions => ({
  column,
  ...(within.length > 0 && { within }),
  ...(descending && { descending }),
  ...(hidesColumn && { hideColumnUnlessReordering: true }),
})

/** The label, if it may be declared: a name can be blank or too long. */
const labelled = (label: string): { label?: string } =>
  label.trim() !== '' && label.length <= LABEL_MAX ? { label } : {}

const columnOptions = (column: ColumnDefinition): ColumnOptions => {
  const { label, kind, values, unit, minorUnit, summary, hidden, isGuess } = column
  const currency = currencyOption(column)
  return {
    ...labelled(label),
    ...(!isGuessedPicture(column) && !isGuess && { kind }),
    ...(values && { values: Object.fromEntries(values) }),
    ...(unit !== undefined && !isSign(column) && { unit }),
    ...(currency !== undefined && { currency }),
    ...(minorUnit !== undefined && { minorUnit }),
    ...(summary && { summary }),
    ...(hidden && { hidden }),
  }
}

/** What says in which currency the amounts of a column are, as its option takes it. */
export const currencyOption = ({
  currency,
  fixedCurrency,
}: Pick<ColumnDefinition, 'currency' | 'fixedCurrency'>): string | { code: string } | undefined =>
  fixedCurrency ? { code: fixedCurrency.code } : currency

/** Whether the unit of a column is known from its currency. */
export const isSign = ({
  unit,
  fixedCurrency,
}: Pick<ColumnDefinition, 'unit' | 'fixedCurrency'>): boolean =>
  fixedCurrency !== undefined && unit === currencySign(fixedCurrency.code)

/** Declaring such a kind is for a person to decide: pages then load from other hosts. */
export const isGuessedPicture = (column: ColumnDefinition): boolean =>
  kindOf(column).showsPictures === true && column.loads !== true

/**
 * `undefined` for no order, and for one that cannot be declared: too many columns, or `-x` beside
 * `x`.
 */
function writeSort(
  sort: readonly SortColumn[],
  names: ReadonlySet<string>,
): string | string[] | undefined {
  const parts = sort.map(({ column, descending }) => (descending ? `-${column}` : column))
  const isUnambiguous = readSort(parts, names).every(
    ({ column, descending }, at) =>
      column === sort[at]?.column && descending === sort[at]?.descending,
  )
  if (!isUnambiguous || parts.length === 0 || parts.length > SORT_MAX) return undefined
  return parts.length === 1 ? parts[0] : parts
}
