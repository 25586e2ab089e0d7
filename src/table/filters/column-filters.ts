/** The filters of a table's columns, declared and inferred, as far as one actor may use them. */

import { messagesFor } from '../../messages/messages.ts'
import { DATE_PICKER } from '../../protocol/constants.ts'
import type { FilterChoice, FilterControl } from '../../protocol/filters.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import { filterByType, suits } from '../definition/column-filter.ts'
import { toneIn } from '../definition/kinds/status.ts'
import { minorCurrency } from '../definition/currency.ts'
import type { ColumnFilter } from '../definition/kind.ts'
import { kindOf } from '../definition/kinds.ts'
import { type ColumnDefinition, foreignKeysOf } from '../definition/table-definition.ts'
import { type Formatter, formatterFor } from '../format.ts'
import { namedTexts } from '../known-values.ts'
import { textOf } from '../list/rows.ts'
import { hasThousandths, THOUSANDTHS } from '../record/form/read-text.ts'
import { encodeValue } from '../row-key.ts'
import type { Referred } from '../source/predicate.ts'
import type { Column, Table, ValueType } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { keyOfColumn } from './address.ts'
import { dateRange, dayBound, type DayOptions, todayZone } from './date-range.ts'
import { choicesOf, type FilterDeclaration } from './declare.ts'
import { emptiness } from './empty.ts'
import type { Filter, Form } from './filter.ts'
import { labelsOf } from './labels.ts'
import { type NumberOptions, numberRange } from './number-range.ts'
import { oneOf, type ValueWords } from './one-of.ts'
import { textTest } from './text.ts'
import { yesNo } from './yes-no.ts'

/** A column that the actor may read, and what its filter is declared to be, if it is. */
type Subject = {
  readonly key: string
  readonly open: OpenTable
  readonly column: Column
  readonly definition: ColumnDefinition
  readonly declared: FilterDeclaration | undefined
}

/**
 * The filters of all columns that the actor may read, in their order, then those that are declared under
 * keys of their own.
 */
export function columnFilters(open: OpenTable): Filter[] {
  const { filters: declared = {}, table } = open.definition
  const inferred = table.columns.map(({ name }) => keyOfColumn(name))
  const own = Object.keys(declared).filter((key) => !inferred.includes(key))
  return [
    ...table.columns.map(({ name }) => [keyOfColumn(name), name] as const),
    ...own.map((key) => [key, undefined] as const),
  ].flatMap(([key, name]) => {
    const options = Object.hasOwn(declared, key) ? declared[key] : undefined
    if (options === false) return []
    const subject = subjectOf(key, options?.column ?? name, open, options)
    return subject ? (filterOf(subject) ?? []) : []
  })
}

function subjectOf(
  key: string,
  name: string | undefined,
  open: OpenTable,
  declared: FilterDeclaration | undefined,
): Subject | undefined {
  const column = open.definition.table.columns.find((one) => one.name === name)
  const definition = column && open.definition.columns.get(column.name)
  return definition && open.access.canRead(column.name)
    ? { key, open, column, definition, declared }
    : undefined
}

/** Whether the column is the key of a row, and nothing else. */
const isOwnKey = ({ column, definition, open }: Subject): boolean =>
  definition.kind === 'key' && open.definition.table.key.includes(column.name)

type Type = ColumnFilter | 'relation'

/** `undefined` if rows cannot be filtered by the column. */
function filterOf(subject: Subject): Filter | undefined {
  const { key, open, column, definition, declared } = subject
  const type = typeOf(subject)
  if (type === 'none') return undefined
  const help = declared?.help
  return {
    key,
    label: declared?.label ?? definition.label,
    column: column.name,
    ...(help !== undefined && { help }),
    ...(isOwnKey(subject) && { last: true as const }),
    ...(column.nullable && { nullable: true as const }),
    ...(declared?.type === 'date' &&
      declared.format !== undefined && { dayFormat: declared.format }),
    ...(type === 'number' && { numbers: { thousandths: takesThousandths(column, definition) } }),
    forms: formsOf(type, subject),
    control: (reader) => controlOf(type, subject, reader),
    ...(isCostly(type, column, open) && { costly: true as const }),
  }
}

function typeOf({ column, definition, open, declared }: Subject): Type {
  if (column.array || column.type === 'binary') return 'none'
  if (declared) return declared.type
  if (open.relations.has(column.name)) return 'relation'
  // The digits of a key mean nothing, so no range of them does.
  if (foreignKeysOf(open.definition).some(({ columns }) => columns.includes(column.name)))
    return 'choice'
  const byType = filterByType(column)
  const wanted = kindOf(definition).filter ?? byType
  // Whole numbers that are shown as moments count them from 1970.
  const isCounted = column.type === 'integer' && definition.kind === 'datetime'
  return (isCounted && wanted === 'date') || suits(wanted, column) ? wanted : byType
}

/**
 * Besides those of its control, a filter takes every test that fits the type of the column: which control is
 * drawn may follow from a sample of the rows, and an address must go on working.
 */
function formsOf(type: Type, { key, column, definition, open, declared }: Subject): Form[] {
  const words = wordsFor(definition, open, declared)
  return [
    oneOf(key, column, words, referredBy(column.name, open)),
    emptiness(key, column),
    ...fittingTests(type, column).map((test): Form => {
      switch (test) {
        case 'number':
          return numberRange(key, column.name, numberOptions(definition))
        case 'date':
          return dateRange(key, column, dayOptions(declared))
        case 'day':
          return dayBound(key, column, dayOptions(declared))
        case 'text':
          return textTest(key, column.name)
        case 'boolean':
          return yesNo(key, column)
      }
    }),
  ]
}

/** Amounts of one currency are asked for as they are shown. */
function numberOptions(definition: ColumnDefinition): NumberOptions {
  const minor = minorCurrency(definition)
  return minor ? { minorDigits: minor.digits } : { unit: definition.minorUnit }
}

/** Whether a number that is typed may have three digits after the point. */
const takesThousandths = (column: Column, definition: ColumnDefinition): boolean =>
  hasThousandths(column) || (minorCurrency(definition)?.digits ?? 0) >= THOUSANDTHS

type Test = 'number' | 'date' | 'day' | 'text' | 'boolean'

const TEXTS: readonly Test[] = ['text', 'date', 'day']
const OF_TYPES: { readonly [type in ValueType]?: readonly Test[] } = {
  text: TEXTS,
  date: TEXTS,
  datetime: TEXTS,
  time: ['text'],
  json: ['text'],
  integer: ['number', 'boolean'],
  decimal: ['number'],
  float: ['number'],
  boolean: ['boolean'],
}

const OF_CONTROLS: { readonly [control in Type]?: readonly Test[] } = {
  number: ['number'],
  date: ['date', 'day'],
  text: ['text'],
  boolean: ['boolean'],
}

const fittingTests = (control: Type, { type, typeByDeclaration = type }: Column): Test[] => [
  ...new Set([
    ...(OF_CONTROLS[control] ?? []),
    ...(OF_TYPES[type] ?? []),
    ...(OF_TYPES[typeByDeclaration] ?? []),
  ]),
]

/** The column to which a column refers, by itself or along with others. */
export function referredBy(column: string, { definition }: OpenTable): Referred | undefined {
  const all = foreignKeysOf(definition).filter(({ columns }) => columns.includes(column))
  const key = all.find(({ columns }) => columns.length === 1) ?? all[0]
  const referred = key?.references[key.columns.indexOf(column)]
  return key && referred !== undefined ? { table: key.table, column: referred } : undefined
}

const dayOptions = (declared: FilterDeclaration | undefined): DayOptions =>
  declared?.type === 'date' ? declared : {}

/** Values as their column shows them; of relations, the labels of the rows. */
const wordsFor =
  (definition: ColumnDefinition, open: OpenTable, declared?: FilterDeclaration): ValueWords =>
  async (values, { reader, source, signal }) => {
    const choices = declared?.type === 'choice' ? (declared.choices ?? []) : []
    const labels = await labelsOf(source, open.relations.get(definition.name), values, signal)
    return values.map((value) => {
      const text = encodeValue(value)
      const chosen = choices.find((choice) => choice.value === text)?.label
      return chosen ?? labels.get(text) ?? textOf(formatterFor(reader).cell(definition, value))
    })
  }

/** The declared bounds, which are in the unit in which amounts are stored, as they are shown. */
function numbersOf(
  declared: FilterDeclaration | undefined,
  definition: ColumnDefinition,
): { min?: number | undefined; max?: number | undefined; unit?: string | undefined } {
  if (declared?.type !== 'number') return {}
  const minor = minorCurrency(definition)
  if (!minor) return declared
  const shown = (bound: number | undefined) => bound && bound / 10 ** minor.digits
  return { min: shown(declared.min), max: shown(declared.max) }
}

/** Choices beyond this are asked for when they are needed. */
const CHOICES_MAX = 30

function controlOf(type: Type, subject: Subject, reader: Reader): FilterControl {
  const { column, definition, open, declared } = subject
  switch (type) {
    case 'number': {
      const { unit: own = definition.minorUnit } = definition
      const { min, max, unit = own } = numbersOf(declared, definition)
      return {
        type: 'number',
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(unit !== undefined && { unit }),
        ...(takesThousandths(column, definition) && { thousandths: true as const }),
      }
    }
    case 'date': {
      const { earliest, latest } = declared?.type === 'date' ? declared : {}
      const { format = DATE_PICKER.format } = dayOptions(declared)
      return {
        type: 'date',
        format,
        weekStart: DATE_PICKER.weekStart,
        zone: todayZone(column, reader.timeZone, dayOptions(declared)),
        ...(earliest !== undefined && { earliest }),
        ...(latest !== undefined && { latest }),
      }
    }
    case 'choice': {
      const choices = choicesIn(subject, formatterFor(reader))
      return { type: 'choice', ...(choices && { choices }) }
    }
    case 'relation': {
      const access = open.relations.get(column.name)?.access
      const table = access?.table.name ?? ''
      const label = open.others.find(table)?.definition.label ?? table
      const rows = access?.seesAllRows ? estimateOf(access.table, reader) : undefined
      return { type: 'relation', table, label, ...(rows !== undefined && { rows }) }
    }
    case 'boolean':
      return { type: 'boolean' }
    default:
      return { type: 'text' }
  }
}

/** About how many rows there are, as the sidebar says it. */
function estimateOf({ estimate }: Table, reader: Reader): string | undefined {
  if (estimate === null) return undefined
  const short = { notation: 'compact', maximumFractionDigits: 1 } as const
  const { count } = messagesFor(reader.language).shell
  return count.estimate(formatterFor(reader).number(estimate, short))
}

/** Choices that are declared, listed in the schema, or named, and what is stored besides those, if they are few. */
function choicesIn(
  { open, column, definition, declared }: Subject,
  formatter: Formatter,
): FilterChoice[] | undefined {
  if (declared?.type === 'choice' && declared.choices) return choicesOf(declared.choices)
  const listed = column.allowed ?? (definition.values && [...definition.values.keys()])
  if (!listed || listed.length > CHOICES_MAX) return undefined
  return (column.allowed ?? namedTexts(open, definition)).map((value) =>
    drawChoice(value, definition, formatter),
  )
}

/** A value to choose from, as its column shows it. */
export function drawChoice(
  value: Value,
  definition: ColumnDefinition,
  formatter: Formatter,
): FilterChoice {
  if (value === null) return { value: null, label: '' }
  const cell = formatter.cell(definition, value)
  const tone = definition.kind === 'status' ? toneIn(cell) : undefined
  return { value: encodeValue(value), label: textOf(cell), ...(tone && { tone }) }
}

/** Rows beyond which a filter that no index serves is applied together with others. */
const COSTLY_ROWS = 50_000

/** How many rows there are is told only to whom none is hidden from. */
function isCostly(type: Type, { name }: Column, { definition, access }: OpenTable): boolean {
  const { indexes, key, estimate } = definition.table
  if ((estimate ?? 0) < COSTLY_ROWS || !access.seesAllRows) return false
  const isFirst = indexes.some(({ columns, partial }) => !partial && columns[0]?.name === name)
  return type === 'text' || !(isFirst || key[0] === name)
}
