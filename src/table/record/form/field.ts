/** The fields of a form: which columns are asked, how, and what they hold. */

import { messagesFor } from '../../../messages/messages.ts'
import { fileSize } from '../../../protocol/file-size.ts'
import type { FieldControl, FieldInput, FixedField } from '../../../protocol/form-view.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import { namesOf } from '../../files/file-cell.ts'
import { countsTime } from '../../definition/counted-time.ts'
import { minorCurrency } from '../../definition/currency.ts'
import { formatterFor } from '../../format.ts'
import { readableColumns } from '../../list/concerns/columns.ts'
import { namedTexts, sampledTexts } from '../../known-values.ts'
import { textOf } from '../../list/rows.ts'
import { toneIn } from '../../definition/kinds/status.ts'
import { type Column, type Table, uniqueSets } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'
import type { Values } from '../../source/write-unit.ts'
import type { ColumnDefinition } from '../../definition/table-definition.ts'
import { currencyIn } from './amounts.ts'
import { bytesControl, bytesRules, FIELD_BYTES_MAX } from './bytes-field.ts'
import { type FieldWriter, fieldWriter } from './field-texts.ts'
import { fileControl } from './file-control.ts'
import { readText } from './read-text.ts'
import { readingOf } from './readings.ts'
import { creates, relatedTable } from './related-table.ts'
import { whyNever } from './why-never.ts'
import { isWritten, writeText } from './write-text.ts'

/** Longest text that a field holds, characters. */
export const FIELD_MAX = 100_000
/** From here on, or with line breaks, a text has a field of several lines. */
const LONG = 120

/** A column that the reader may see, and the schema's own column. */
type Asked = { readonly column: Column; readonly definition: ColumnDefinition }

/** `undefined` where the row has no file yet; `id` tells one of a list. */
type FileHref = (column: string, id?: string) => string | undefined

export type DrawnField = { readonly input: FieldInput } | { readonly fixed: FixedField }

export type FieldsOf = {
  /** Those of the row, or those that a new one begins with. */
  readonly values: Values
  readonly isNew: boolean
  /** The row, where its amounts are shown in their currencies. Default: in the unit in which they are stored. */
  readonly amounts?: Values | undefined
  /** Those of related rows. */
  readonly labels: ReadonlyMap<string, string | null>
  /** The only column to draw. Default: all. */
  readonly only?: string
  /** Whether it stands beside another form, so that it creates no further rows. */
  readonly isRelated?: boolean
  /** The address of a column's file, where fields for files are asked. Default: they are not. */
  readonly fileHref?: FileHref | undefined
}

export function drawFields(
  open: OpenTable,
  { values, isNew, amounts, labels, only, isRelated = false, fileHref }: FieldsOf,
  reader: Reader,
): readonly DrawnField[] {
  const columns = new Map(open.access.table.columns.map((column) => [column.name, column]))
  const write = fieldWriter(open, reader, amounts)
  return readableColumns(open).flatMap((definition): DrawnField[] => {
    const column = columns.get(definition.name)
    if (!column || (only !== undefined && only !== column.name)) return []
    const value = values[column.name] ?? null
    const isMasked = !isNew && !Object.hasOwn(values, column.name)
    const why = whyFixed(open, { column, definition }, value, {
      isNew,
      takesFiles: fileHref !== undefined,
      reader,
    })
    if (why !== undefined)
      return isNew
        ? []
        : [
            {
              fixed: {
                name: column.name,
                label: definition.label,
                text: shownAs(open, { column, definition }, value, write),
                why,
              },
            },
          ]
    const control = controlOf(open, { column, definition }, value, {
      labels,
      reader,
      isRelated,
      fileHref,
    })
    const input = inputOf({ column, definition }, value, control, { isNew, write })
    const currency = amounts && !definition.fixedCurrency && currencyIn(open, column.name, amounts)
    const amount = currency && { unit: currency.code }
    const reading = readingOf(open, column, reader)
    return [
      {
        input: {
          ...{ ...input, ...amount, ...(reading !== undefined && { reading }) },
          ...remarks(open, column, { isNew, isMasked }, reader),
        },
      },
    ]
  })
}

/** What is special about the field: its value may be replaced and not read, it names the row, or it is of a zone. */
function remarks(
  { access, definition }: OpenTable,
  column: Column,
  { isNew, isMasked }: { readonly isNew: boolean; readonly isMasked: boolean },
  { language, timeZone = 'UTC' }: Reader,
): Pick<FieldInput, 'isMasked' | 'isSecret' | 'note'> {
  const { notes } = messagesFor(language).form
  if (isMasked) return { isMasked: true, isSecret: true, note: notes.masked }
  if (access.maskOf(column.name)) return { isSecret: true }
  if (!isNew && access.table.key.includes(column.name)) return { note: notes.key }
  // What is typed there has no offset, and means the reader's own clock.
  return countsTime(definition, column) ? { note: notes.zone(timeZone) } : {}
}

/** Whether the database gives the column a value that is not known before. */
const isMade = ({ identity, hasDefault, default: written }: Column): boolean =>
  identity === true || (hasDefault && constantOf(written) === undefined)

/** Whether a copy of a row begins with its value: not where that is unique, or where the database makes a copy's own. */
export const isCopied = (table: Table, name: string): boolean =>
  !uniqueSets(table).some(
    ({ columns: [first, ...others] }) => first === name && others.length === 0,
  ) && table.columns.some((one) => one.name === name && isWritten(one) && !isMade(one))

function inputOf(
  { column, definition }: Asked,
  value: Value,
  control: FieldControl,
  { isNew, write }: { readonly isNew: boolean; readonly write: FieldWriter },
): FieldInput {
  const { help, minorUnit, unit = minorUnit, label, name, field } = definition
  const isText = column.type === 'text' && control.is !== 'choice'
  const standsIn = column.hasDefault || column.identity === true
  return {
    ...{ name, label, control, text: write(value, column), nullable: column.nullable },
    takesEmpty: isText && control.is !== 'relation',
    required: !column.nullable && !(isNew && standsIn),
    ...(field !== undefined && { kind: field }),
    ...(help !== undefined && { help }),
    ...(unit !== undefined && { unit }),
    ...(column.maxLength !== undefined && { maxLength: column.maxLength }),
    ...(isNew && standsIn && defaultOf(column, write)),
  }
}

/** What stands in for an empty field, as the field would show it. */
function defaultOf(column: Column, write: FieldWriter): { default: string } | undefined {
  const constant = constantOf(column.default)
  const read =
    constant && column.type === 'integer' ? readText(column, constant.default, 'en') : undefined
  const text = read && 'value' in read ? write(read.value, column) : null
  return text === null ? constant : { default: text }
}

/** Why the column is shown and not asked; `undefined` if it is asked. */
function whyFixed(
  open: OpenTable,
  { column, definition }: Asked,
  value: Value,
  { isNew, takesFiles, reader }: Asking,
): string | undefined {
  const { form } = messagesFor(reader.language)
  const isKey = open.access.table.key.includes(column.name)
  if ((isNew && column.identity === true) || (isKey && isMade(column)))
    return column.type === 'integer' ? form.fixed.identity : form.fixed.generated
  if (typeof value === 'string' && value.length > FIELD_MAX) return form.fixed.tooLong
  const action = isNew ? 'create' : 'update'
  if (takesFiles && bytesRules(open, column.name))
    return open.access.canWrite(column.name, action)
      ? whyFixedBytes(value, reader)
      : form.fixed.forbidden
  const never = whyNever(open, column, reader, action)
  return never ?? (definition.file && !takesFiles ? form.fixed.file : undefined)
}

/** Of more bytes than a form replaces only the first are read. A column of SQLite may hold other values as well. */
function whyFixedBytes(value: Value, { language, locale }: Reader): string | undefined {
  const { fixed } = messagesFor(language).form
  if (value !== null && !(value instanceof Uint8Array)) return fixed.bytes
  return (value?.byteLength ?? 0) > FIELD_BYTES_MAX
    ? fixed.manyBytes(fileSize(FIELD_BYTES_MAX, locale))
    : undefined
}

type Asking = { readonly isNew: boolean; readonly takesFiles: boolean; readonly reader: Reader }

function controlOf(
  open: OpenTable,
  { column, definition }: Asked,
  value: Value,
  {
    labels,
    reader,
    isRelated = false,
    fileHref,
  }: Pick<FieldsOf, 'labels' | 'isRelated' | 'fileHref'> & { reader: Reader },
): FieldControl {
  if (definition.file)
    return fileControl(definition.file, value, (id) => fileHref?.(column.name, id))
  const rules = bytesRules(open, column.name)
  if (rules) return bytesControl(rules, definition.label, value, fileHref?.(column.name))
  const other = relatedTable(open, column.name)
  if (other)
    return {
      ...{ is: 'relation', table: other.definition.label },
      label: labels.get(column.name) ?? null,
      create: isRelated ? null : creates(other, reader),
    }
  if (column.array) return { is: 'long' }
  if (column.allowed && !column.declared.toLowerCase().startsWith('set'))
    return choiceOf(definition, column.allowed, reader)
  if (definition.values)
    return choiceOf(definition, withHeld(namedTexts(open, definition), value, column), reader)
  if (definition.kind === 'boolean' && column.type === 'integer')
    return choiceOf(definition, withHeld(YES_AND_NO, value, column), reader)
  switch (column.type) {
    case 'boolean':
      return { is: 'yes-no' }
    case 'date':
    case 'time':
    case 'json':
      return { is: column.type }
    case 'datetime':
      return { is: 'moment' }
    case 'integer':
      return { is: countsTime(open.definition, column) ? 'moment' : 'number' }
    case 'decimal':
    case 'float':
      return { is: 'number' }
    default:
      return isLong(definition, value)
        ? { is: 'long' }
        : textControl(open, { column, definition }, value)
  }
}

/** Stored states are suggested, lest one is typed in two spellings, which lists would show alike. */
function textControl(open: OpenTable, { column, definition }: Asked, value: Value): FieldControl {
  const stored = definition.kind === 'status' ? sampledTexts(open, column.name) : []
  if (stored.length === 0) return { is: 'text' }
  return { is: 'text', suggestions: withHeld(stored, value, column).filter((one) => one !== '') }
}

/** Whole numbers that are shown as yes and no. */
const YES_AND_NO = ['1', '0']

/** Also the value that the row holds. */
function withHeld(options: readonly string[], value: Value, column: Column): readonly string[] {
  const stored = writeText(value, column)
  return stored === null || options.includes(stored) ? options : [...options, stored]
}

/** A state, and yes and no, are called in a form as on a page. */
function choiceOf(
  definition: ColumnDefinition,
  allowed: readonly string[],
  reader: Reader,
): FieldControl {
  const options = [...allowed]
  if (!CALLED.has(definition.kind)) return { is: 'choice', options }
  const { cell } = formatterFor(reader)
  const valueOf = definition.kind === 'boolean' ? Number : String
  const cells = options.map((option) => [option, cell(definition, valueOf(option))] as const)
  const called = cells.map(([option, one]) => [option, textOf(one)] as const)
  const labels = Object.fromEntries(called.filter(([option, label]) => option !== label))
  const tones = Object.fromEntries(
    cells.flatMap(([option, one]) => {
      const tone = definition.kind === 'status' ? toneIn(one) : undefined
      return tone ? [[option, tone]] : []
    }),
  )
  return {
    ...{ is: 'choice', options },
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(tones).length > 0 && { tones }),
  }
}

const CALLED: ReadonlySet<string> = new Set(['status', 'boolean'])

/** A default that is a number, a text or yes or no; what is computed is known only once it is. */
export function constantOf(written: string | undefined): { default: string } | undefined {
  const [, text, plain] =
    /^(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?|true|false))(?:::[\w\s".[\]]+)?$/i.exec(written ?? '') ??
    []
  const found = text?.replaceAll("''", "'") ?? plain
  return found === undefined ? undefined : { default: found }
}

const isLong = ({ kind }: ColumnDefinition, value: Value): boolean =>
  kind === 'longtext' ||
  (typeof value === 'string' && (value.length > LONG || /[\r\n]/.test(value)))

/** The value of a column that is not asked, as its field would show it. */
function shownAs(
  { definition: { columns } }: OpenTable,
  { column, definition }: Asked,
  value: Value,
  write: FieldWriter,
): string | null {
  if (countsTime({ columns }, column)) return write(value, column)
  const text = minorCurrency(definition) ? write(value, column) : null
  const { unit = '' } = definition
  return text === null ? shown(value, definition) : `${text} ${unit}`.trimEnd()
}

const shown = (
  value: Value,
  { file, values, minorUnit }: Pick<ColumnDefinition, 'file' | 'values' | 'minorUnit'>,
): string | null => {
  const stored = file && value !== null ? namesOf({ file }, value).join(', ') : writeText(value)
  if (stored !== null && minorUnit !== undefined) return `${stored} ${minorUnit}`
  const text = values?.get(stored ?? '') ?? stored
  return text === null || text.length <= LONG ? text : `${text.slice(0, LONG)}…`
}
