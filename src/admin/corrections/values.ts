/** What can be corrected of a table or column, as the values that its options take. */

import { choiceOf } from './currencies.ts'
import { isJsonObject, type Json, sameJson } from '../../protocol/json.ts'
import type { SortColumn } from '../../table/source/row-source.ts'
import {
  COLUMN_PARTS,
  type CorrectedPart,
  TABLE_PARTS,
} from '../../table/definition/corrections.ts'
import { own, readSort, type TableOptions } from '../../table/definition/define-table.ts'
import { within } from '../../table/definition/problems.ts'
import { currencyOption } from '../../table/definition/options-of.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'

/** Values by part; those that are the same are equal as JSON. */
export type PartValues = { readonly [part in CorrectedPart]?: Json }

/** What is corrected on one page: of a column, or of the table itself. */
export const partsOf = (column: string | null): readonly CorrectedPart[] =>
  column === null ? TABLE_PARTS : COLUMN_PARTS

/** What a definition says of a table, or of a column. */
export function valuesOf(definition: TableDefinition, column: string | null): PartValues {
  if (column !== null) {
    const about = definition.columns.get(column)
    const { label = '', kind = '', unit = '', minorUnit = false, values } = about ?? {}
    const currency = currencyOption(about ?? {}) ?? false
    return { label, kind, unit, currency, minorUnit, values: Object.fromEntries(values ?? []) }
  }
  const { label, labelColumns, defaultSort, defaultColumns } = definition
  return {
    label,
    labelColumn: namesValue(labelColumns),
    sort: sortValue(defaultSort),
    shown: [...defaultColumns],
  }
}

export const isCorrectedPart = (part: string): part is CorrectedPart =>
  [...TABLE_PARTS, ...COLUMN_PARTS].some((one) => one === part)

/** The option that a control of the form is of; `undefined` for none. */
export const partOf = (control: string): CorrectedPart | undefined =>
  isCorrectedPart(control) ? control : OF_CONTROLS[control]

const OF_CONTROLS: { readonly [control: string]: CorrectedPart | undefined } = {
  ...{ direction: 'sort', stored: 'values', named: 'values' },
}

/** The controls of a form that hold a value, by name. */
export function fieldsOf(
  part: CorrectedPart,
  value: Json,
  { columns }: Pick<TableDefinition, 'columns'>,
): { [control: string]: string[] } {
  if (part === 'currency') return { currency: [choiceOf(value)] }
  if (isJsonObject(value)) {
    const pairs = Object.entries(value)
    const some = pairs.length > 0 ? pairs : [['', '']]
    return {
      stored: some.map(([stored]) => stored ?? ''),
      named: some.map(([, name]) => (typeof name === 'string' ? name : '')),
    }
  }
  // `false` and `null` say that there is none.
  const texts = [value || ''].flat().map(String)
  if (part !== 'sort') return { [part]: texts }
  const read = readSort(texts, new Set(columns.keys()))
  // A form without terms would not hold the order.
  const terms = read.length > 0 ? read : [{ column: '', descending: false }]
  return {
    sort: terms.map(({ column }) => column),
    direction: terms.map(({ descending }) => (descending ? 'descending' : 'ascending')),
  }
}

/** `null` says that nothing names a row. */
export const namesValue = (names: readonly string[]): Json => (names.length > 0 ? [...names] : null)

export const sortValue = (sort: readonly SortColumn[]): string[] =>
  sort.map(({ column, descending }) => (descending ? `-${column}` : column))

/** The order that a value stands for; `undefined` where a name that begins with `-` makes it another one. */
export function sortOf(
  terms: readonly SortColumn[],
  { table }: TableDefinition,
): string[] | undefined {
  const value = sortValue(terms)
  const read = readSort(value, new Set(table.columns.map(({ name }) => name)))
  return sameJson(
    read.map(({ column, descending }) => [column, descending]),
    terms.map(({ column, descending }) => [column, descending]),
  )
    ? value
    : undefined
}

/** The option of code that says the part, such as `tables.orders.label`; `undefined` if none does. */
export function saidByCode(
  table: string,
  column: string | null,
  part: string,
  code: TableOptions,
): string | undefined {
  const path = within('tables', table)
  const isSaid = (options: object, name: string) => own<unknown>({ ...options }, name) !== undefined
  if (column === null) return isSaid(code, part) ? `${path}.${part}` : undefined
  const options = own(code.columns, column) ?? {}
  // A column with a storage holds files, whatever its kind is.
  const saying = [part, ...(part === 'kind' ? ['storage'] : [])]
  const found = saying.find((one) => isSaid(options, one))
  return found === undefined ? undefined : `${within(`${path}.columns`, column)}.${found}`
}
