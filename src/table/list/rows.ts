/** The rows of a listing as cells, each with its key and its name. */

import { messagesFor } from '../../messages/messages.ts'
import { type Cell, type Row, SAME_AS_KEY } from '../../protocol/table-view.ts'
import type { OpenTable, Relation } from '../catalog.ts'
import { isNamedByRows, joinedLabel } from '../references.ts'
import { type Formatter, TEXT_MAX } from '../format.ts'
import { amountText } from '../definition/currency.ts'
import { kindOf } from '../definition/kinds.ts'
import { shownMoments } from '../definition/kinds/datetime.ts'
import { commonDigits } from '../definition/kinds/money.ts'
import { valuesAsWritten } from '../definition/named-scale.ts'
import { fileCell } from '../files/file-cell.ts'
import { unnamedRow } from '../record/unnamed.ts'
import { recordKey } from '../row-key.ts'
import type { PageRow, RowPage } from '../source/row-source.ts'
import { LONG_TYPES } from '../source/schema.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { KeyValues, Value } from '../source/value.ts'

type Rows = {
  readonly open: OpenTable
  readonly columns: readonly ColumnDefinition[]
  readonly page: RowPage
  /** Address of the table's listing. */
  readonly list: string
  /** What types and ids beside one another name. Default: nothing. */
  readonly pairs?: PairCells | undefined
}

/** The names of rows and their addresses, by the place of the column that holds their ids, and of the row. */
export type PairCells = ReadonlyMap<number, readonly (PairCell | undefined)[]>

export type PairCell = readonly [text: string, href: string]

/** Whether a cell can link to the related row: its value is the row's whole key. */
export const isOpenable = ({ access, references }: Relation): boolean =>
  access.table.key.length === 1 && access.table.key[0] === references

/** The rows, the places of those without a page of their own, and those of columns whose zone is for the head to name. */
export function drawRows({ page, open, columns: shown, list, pairs }: Rows, formatter: Formatter) {
  const columns = shown.map((column, place) => alike(column, page, place))
  const named = open.definition.labelColumns
    .map((label) => columns.findIndex(({ name }) => name === label))
    .filter((place) => place >= 0)
  const areRows = isNamedByRows(open.definition)
  const labelled = relationPlaces(columns, open)
  const relations = columns.map(({ name }, place) => {
    const relation = open.relations.get(name)
    const isLinked = relation !== undefined && isOpenable(relation)
    return relation && { at: labelled.indexOf(place), relation, isLinked }
  })
  const currencies = currencyPlaces(shown, open)
  const files = columns.flatMap((column, place) => (column.file ? [{ column, place }] : []))
  const unnamed = unnamedRows(open, formatter.language)
  const except: number[] = []
  const rows = page.rows.map((row, at) => {
    const key = open.keys.record(row.key)
    if (key === null) except.push(at)
    const name = key ?? open.keys.name(row.key)
    const cells: Cell[] = []
    for (const [place, column] of columns.entries()) {
      if (row.masked?.has(place)) {
        cells.push(0)
        continue
      }
      const value = row.values[place] ?? null
      const related = value === null ? undefined : relations[place]
      const label = related && row.labels[related.at]
      // Its label stands in place of the value.
      const cell = label || formatter.cell(column, value, row.lengths?.get(place))
      cells.push(related ? relationCell(cell, value, label, related) : cell)
    }
    if (pairs)
      for (const [place, named] of pairs) {
        const pair = named[at]
        if (pair) cells[place] = [...pair]
      }
    if (key !== null)
      for (const { column, place } of files) {
        if (row.masked?.has(place)) continue
        const cell = fileCell(column, row.values[place] ?? null, { list, key })
        if (cell !== undefined) cells[place] = cell
      }
    for (const { at, from } of currencies) {
      const [column, value] = [shown[at], row.values[at] ?? null]
      if (!column || row.masked?.has(at) || row.masked?.has(from)) continue
      cells[at] = amountText(column, value, row.values[from], formatter) ?? cells[at] ?? null
    }
    const label =
      named.length > 1
        ? joinedLabel(
            named.map((place) => textOf(cells[place] ?? null)),
            areRows,
          )
        : textOf(cells[named[0] ?? -1] ?? null)
    return rowOf(
      name,
      label || (typeof unnamed === 'string' ? unnamed.replace(HOLE, name) : unnamed(row.key)),
      cells,
    )
  })
  const zoned = columns.flatMap(({ moments }, place) => (moments?.zoneInHead ? [place] : []))
  return { rows, except, zoned }
}

/** Stands for a key. */
const HOLE = '\0'

/** What rows without a name are called; where a key is a plain number, as a text with a hole for it, which costs less. */
function unnamedRows(open: OpenTable, language: string): string | ((key: KeyValues) => string) {
  const { table, columns } = open.definition
  const [only = '', ...more] = table.key
  const isNumber = table.columns.some(({ name, type }) => name === only && type === 'integer')
  const isPlain = isNumber && more.length === 0 && columns.get(only)?.hidden === false
  if (isPlain) return messagesFor(language).record.unnamed(open.definition.label, HOLE)
  return (key) => (key.length === 0 ? open.keys.name(key) : unnamedRow(open, key, language))
}

/** The columns that a list reads: those that are shown, the currencies of their amounts, and the types beside ids. */
export function readColumns(shown: readonly ColumnDefinition[], { access }: OpenTable): string[] {
  const names = new Set<string>()
  for (const { name } of shown) names.add(name)
  for (const { currency, typedBy } of shown) {
    if (currency !== undefined && access.canRead(currency)) names.add(currency)
    if (typedBy !== undefined && access.canRead(typedBy)) names.add(typedBy)
  }
  return [...names]
}

/** The places of amounts in the smallest unit, each with that of its currency among what was read. */
function currencyPlaces(shown: readonly ColumnDefinition[], open: OpenTable) {
  const places: { readonly at: number; readonly from: number }[] = []
  if (shown.every(({ minorUnit }) => minorUnit === undefined)) return places
  const read = readColumns(shown, open)
  for (const [at, { currency = '', minorUnit, fixedCurrency }] of shown.entries())
    if (minorUnit !== undefined && !fixedCurrency) places.push({ at, from: read.indexOf(currency) })
  return places
}

/** Amounts of money stand below each other with as many digits, and times with as many units. */
function alike(column: ColumnDefinition, { rows }: RowPage, place: number): ColumnDefinition {
  if (column.kind === 'datetime')
    return { ...column, moments: shownMoments(rows.map(({ values }) => values[place] ?? null)) }
  const { fixedCurrency, minorUnit } = column
  if (fixedCurrency) {
    if (minorUnit !== undefined) return column
    const values = valuesAsWritten(column, rows, place).map(withoutZeros)
    const digits = Math.max(fixedCurrency.digits, commonDigits(values))
    return digits === fixedCurrency.digits
      ? column
      : { ...column, fixedCurrency: { ...fixedCurrency, digits } }
  }
  if (!kindOf(column).summary?.isMoney || column.digits !== undefined) return column
  return { ...column, digits: commonDigits(valuesAsWritten(column, rows, place)) }
}

/** Without zeros at the end of a fraction: a currency says how many digits there are at least. */
const withoutZeros = (value: Value): Value =>
  typeof value === 'string' ? value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : value

/** Sends the key once: a text that equals it becomes a marker. */
function rowOf(key: string, label: string, cells: readonly Cell[]): Row {
  const row: Row = [key, label === key ? SAME_AS_KEY : label]
  for (const cell of cells) row.push(cell === key ? SAME_AS_KEY : cell)
  return row
}

/**
 * A related row: its label, or its key if it has none, which is the `cell`. A missing row shows as its
 * key to those who see all rows; for others it must look like a hidden one.
 */
function relationCell(
  cell: Cell,
  value: Value,
  label: PageRow['labels'][number],
  { relation, isLinked }: { relation: Relation; isLinked: boolean },
): Cell {
  if (label === undefined) return relation.access.seesAllRows ? cell : 0
  const text = label || textOf(cell)
  const key = isLinked ? recordKey([value], relation.access.table) : null
  return key === null ? text : [text, key]
}

/** The text of a cell, empty if there is none. */
export const textOf = (cell: Cell): string =>
  Array.isArray(cell) ? cell[0] : cell === 0 ? '' : (cell ?? '')

/** The same where nothing else says that it was cut. */
export const toldText = (cell: Cell): string => {
  const text = textOf(cell)
  const isCut = Array.isArray(cell) && typeof cell[1] === 'number' && cell[1] > text.length
  return isCut ? `${text}…` : text
}

/** The places of the columns that show the label of a related row. */
const relationPlaces = (columns: readonly ColumnDefinition[], { relations }: OpenTable): number[] =>
  columns.flatMap(({ name }, place) => (relations.has(name) ? [place] : []))

/** Columns whose values may be long, of which a listing reads only the beginnings. */
export const cutColumns = (columns: readonly ColumnDefinition[], open: OpenTable): string[] => {
  const types = new Map(open.definition.table.columns.map((column) => [column.name, column]))
  return columns.flatMap(({ name }) => {
    const column = types.get(name)
    const isLong = column && LONG_TYPES.has(column.type) && !column.allowed
    return isLong && !open.relations.has(name) && !((column.maxLength ?? Infinity) <= TEXT_MAX)
      ? [name]
      : []
  })
}
