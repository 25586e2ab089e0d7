/** Checks the options of one column against what the database says of it. */

import { type ColumnOptions, own, type TableOptions } from './define-table.ts'
import { inferKind } from './column-kind.ts'
import { CODES } from './currency.ts'
import { unknown } from './fields.ts'
import { checkFileColumn, typesOfKind } from './file-column.ts'
import { isSearchableType, isSortableType } from './infer.ts'
import { hiddenReason } from './scope.ts'
import type { Kinds } from './kinds.ts'
import { linkOf } from './kinds/relation.ts'
import { type Problem, quoted, report, suggestion, within } from './problems.ts'
import type { Column, Table, ValueType } from '../source/schema.ts'

/** A table whose options are checked. */
export type Checked = {
  readonly table: Table
  readonly tables: readonly Table[]
  readonly options: TableOptions
  readonly kinds: Kinds
  readonly path: string
}

/** Why nobody sees the column, or not all of its values. */
const reasonOf = (column: Column, { table, tables, options }: Checked) =>
  hiddenReason(column, table, tables, options)

export const isMasked = (column: Column, checked: Checked): boolean =>
  reasonOf(column, checked)?.by === 'setting'

export const isHidden = (column: Column, checked: Checked): boolean =>
  reasonOf(column, checked) !== undefined && !isMasked(column, checked)

/** What cannot be done with a column some of whose values are masked, because it would tell them. */
export const masked = (column: Column, at: string, { path }: Checked): Problem =>
  report(
    at,
    `some values of ${quoted(column.name)} may be secrets. If none is, say so with ${within(`${path}.columns`, column.name)}.hidden: false.`,
  )

export const unknownColumn = (name: string, at: string, { columns }: Table): Problem =>
  unknown(
    'column',
    name,
    at,
    columns.map((column) => column.name),
  )

const NOT_SUMMED: ReadonlySet<ValueType> = new Set([
  'boolean',
  'date',
  'datetime',
  'time',
  'json',
  'binary',
])

type OptionCheck = (
  at: string,
  column: Column,
  checked: Checked,
  options: ColumnOptions,
) => Problem | undefined

/** Why the kind of this name does not take the column. */
function reasonsAgainst(
  name: string,
  column: Column,
  { table, kinds }: Pick<Checked, 'table' | 'kinds'>,
): string[] {
  const reasons: string[] = []
  kinds.byName.get(name)?.check?.(column, table, (reason) => void reasons.push(reason))
  return reasons
}

const WHOLE = /^(?:0|-?[1-9]\d*)$/

const noMoney = (at: string) =>
  report(at, 'only a column of money has it: add kind, such as money.')

/** Whether its kind, declared or inferred, is one of amounts. */
const isMoney = (
  column: Column,
  { table, kinds }: Checked,
  { kind = inferKind(column, table, undefined, kinds).name }: ColumnOptions,
): boolean => kinds.byName.get(kind)?.summary?.isMoney ?? false

const checkCode = (code: string, at: string) =>
  CODES.has(code)
    ? undefined
    : report(at, `ISO 4217 has no currency ${quoted(code)}.${suggestion(code, CODES)}`)

const noStorage = (at: string) => report(at, 'only a column with storage takes files.')

/** Checks whether an option suits its column. */
const OPTION_CHECKS: { readonly [option in keyof ColumnOptions]?: OptionCheck } = {
  kind(at, column, { table, kinds }, { kind = '', storage }) {
    if (kind === 'file' && storage === undefined)
      return report(at, 'say where its files are kept: add storage, such as local.')
    const reasons = reasonsAgainst(kind, column, { table, kinds })
    if (reasons.length > 0) return report(at, reasons.join(' '))
    const isFitting = column.type !== 'binary' || kind === 'binary'
    return isFitting || kind === inferKind(column, table, undefined, kinds).name
      ? undefined
      : report(at, 'bytes are shown by their size alone, as binary.')
  },
  values(at, { type, array }, _checked, { kind = 'status', values = {} }) {
    if (kind !== 'status')
      return report(at, 'only a column of the kind status has names of its values.')
    if (array || (type !== 'integer' && type !== 'text'))
      return report(at, 'only values of whole numbers and of texts have names.')
    const other = Object.keys(values).find((stored) => type === 'integer' && !WHOLE.test(stored))
    return other === undefined ? undefined : report(at, `${quoted(other)} is no whole number.`)
  },
  currency(at, column, checked, options) {
    const { table } = checked
    const { currency } = options
    if (!isMoney(column, checked, options)) return noMoney(at)
    if (!currency) return undefined
    if (typeof currency === 'object') return checkCode(currency.code, `${at}.code`)
    const other = table.columns.find(({ name }) => name === currency)
    if (!other) return unknownColumn(currency, at, table)
    if (isHidden(other, checked)) return report(at, `${quoted(currency)} is hidden.`)
    if (isMasked(other, checked)) return masked(other, at, checked)
    return other.type === 'text' && !other.array
      ? undefined
      : report(at, `a column of ${typed(other)} names no currencies.`)
  },
  minorUnit(at, column, checked, options) {
    if (!isMoney(column, checked, options)) return noMoney(at)
    return column.type === 'integer'
      ? undefined
      : report(at, 'only whole numbers count the smallest unit of a currency.')
  },
  storage(at, column, { table }, { kind = '', ...options }) {
    if (!['file', 'image'].includes(kind))
      return report(at, 'only a column of the kind file or image keeps files.')
    return checkFileColumn(column, table, options, at)
  },
  types(at, _column, _checked, { kind, storage, types = [] }) {
    if (storage === undefined) return noStorage(at)
    const other = types.find((type) => !typesOfKind(kind).includes(type))
    return other === undefined
      ? undefined
      : report(at, `${quoted(other)} is no type of pictures that browsers show.`)
  },
  maxBytes: (at, _column, _checked, { storage }) =>
    storage === undefined ? noStorage(at) : undefined,
  multiple: (at, _column, _checked, { storage }) =>
    storage === undefined ? noStorage(at) : undefined,
  field(at, column, { table, kinds }, { field = '' }) {
    const reasons = reasonsAgainst(field, column, { table, kinds })
    return reasons.length > 0 ? report(at, reasons.join(' ')) : undefined
  },
  summary: (at, column, _checked, { summary }) =>
    summary !== 'none' && NOT_SUMMED.has(column.type)
      ? report(at, `a column of ${typed(column)} has no ${summary}.`)
      : undefined,
  // A key that is a secret is hidden anyway: it stands in addresses as a sealed one.
  hidden: (at, column, { table, tables }, { hidden }) =>
    hidden && table.key.includes(column.name) && !hiddenReason(column, table, tables, {})
      ? report(
          at,
          'a column of the key cannot be hidden, because it stands in every address. Hide the table instead.',
        )
      : undefined,
  sortable: (at, column, checked, { sortable }) =>
    sortable && isMasked(column, checked)
      ? masked(column, at, checked)
      : sortable && !isSortableType(column)
        ? report(at, `rows cannot be ordered by ${typed(column)}.`)
        : undefined,
  searchable: (at, column, checked, { searchable }) =>
    searchable && isMasked(column, checked)
      ? masked(column, at, checked)
      : searchable && !isSearchableType(column) && !linkOf(column, checked.table)
        ? report(at, `a search cannot look into ${typed(column)}.`)
        : undefined,
}

/** Every mistake in the options of one column. */
export function checkColumn(name: string, options: ColumnOptions, checked: Checked): Problem[] {
  const { table, path } = checked
  const at = within(`${path}.columns`, name)
  const column = table.columns.find((candidate) => candidate.name === name)
  if (!column) return [unknownColumn(name, at, table)]
  return Object.entries(OPTION_CHECKS).flatMap(([option, check]) => {
    const isDeclared = own<unknown>(options, option) !== undefined
    return isDeclared ? (check(`${at}.${option}`, column, checked, options) ?? []) : []
  })
}

/** The type in words. */
export const typed = ({ type, array }: Column): string => (array ? `a list of ${type}` : type)
