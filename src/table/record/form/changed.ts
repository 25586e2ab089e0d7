/** What a person has changed of a row: the values of the texts that they typed, and where others were there first. */

import { messagesFor } from '../../../messages/messages.ts'
import type { FieldConflict } from '../../../protocol/form-view.ts'
import { AppError } from '../../../server/app-error.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import type { Column } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'
import type { Values } from '../../source/write-unit.ts'
import { type FieldWriter, readField } from './field-texts.ts'
import { type Readings, readOtherwise } from './readings.ts'
import { relatedTable } from './related-table.ts'

/** Texts of fields by column; `null` is NULL. */
export type Texts = { readonly [column: string]: string | null }

export type ReadAll = { readonly values: Values; readonly errors: { [column: string]: string[] } }

const columnsOf = ({ access }: OpenTable): ReadonlyMap<string, Column> =>
  new Map(access.table.columns.map((column) => [column.name, column]))

type Place = {
  /** The row whose fields the texts stood in, a new one with its defaults: it tells the currencies. Default: a line, or several rows. */
  readonly row?: Values
  /** What the row holds, or the line. Default: `row`. */
  readonly held?: Values
  /** What the fields began with. Such a text was drawn, not typed. Default: none. */
  readonly seen?: Texts
  /** How the fields were read when they were drawn. Default: as now. */
  readonly readings?: Readings | undefined
}

/** The values of texts, and what is wrong with those that cannot be read, all at once. */
export function readAll(
  open: OpenTable,
  changed: Texts,
  reader: Reader,
  { row, held = row, seen = {}, readings }: Place = {},
): ReadAll {
  const { form } = messagesFor(reader.language)
  const columns = columnsOf(open)
  // Maps, since a column may be called `__proto__`.
  const errors = new Map<string, string[]>()
  const values = new Map<string, Value>()
  for (const [name, text] of Object.entries(changed)) {
    const column = columns.get(name)
    // Nobody types the path of a file: it would be another row's.
    const isFile = open.definition.columns.get(name)?.file !== undefined
    // Of a row that there is or of a new one: the door knows which.
    const may = open.access.canWrite(name) || open.access.canWrite(name, 'create')
    if (!column || isFile || !may) throw new AppError('FORBIDDEN')
    const isGiven = text !== null && text.trim() !== ''
    const again = readings && isGiven && readOtherwise(open, column, readings[name], reader)
    if (again) {
      errors.set(name, [again])
      continue
    }
    const isDrawn = text === seen[name]
    const typed = { text, isDrawn, isOffered: isOffered(open, column), held: held?.[name] ?? null }
    const read = readField(open, column, { ...typed, row, typed: changed }, reader)
    const other = 'problem' in read && relatedTable(open, name)
    // What is typed there is a name, not a key.
    if (other) errors.set(name, [form.noSuchRow(other.definition.label, text ?? '')])
    else if ('problem' in read) errors.set(name, [form.unreadable[read.problem]])
    else values.set(name, read.value)
  }
  return { values: Object.fromEntries(values), errors: Object.fromEntries(errors) }
}

/** Whether people choose among texts that are drawn. */
const isOffered = ({ definition, relations }: OpenTable, { name, allowed }: Column): boolean =>
  relations.has(name) || allowed !== undefined || definition.columns.get(name)?.values !== undefined

/**
 * Texts that were emptied though the row needs one have no value, so that they are refused as required: the database
 * would take an empty text, which nobody means. One that stands there already stays. `held`: what the row holds; of a
 * new one, what it began with.
 */
export function withoutEmptied(
  open: OpenTable,
  { values, errors }: ReadAll,
  held: Values,
  isNew: boolean,
): ReadAll {
  const columns = columnsOf(open)
  const isEmptied = (name: string, value: Value) => {
    const column = columns.get(name)
    if (value !== '' || column?.type !== 'text' || column.allowed || column.nullable) return false
    return held[name] !== '' && !(isNew && (column.hasDefault || column.identity === true))
  }
  const kept = Object.entries(values).map(
    ([name, value]) => [name, isEmptied(name, value) ? null : value] as const,
  )
  return { values: Object.fromEntries(kept), errors }
}

/** The fields that somebody else has changed since the person began to, and to something else. */
export function conflictsOf(
  open: OpenTable,
  mine: Values,
  theirs: Values,
  seen: Texts,
  write: FieldWriter,
): FieldConflict[] {
  const columns = columnsOf(open)
  return changedSince(open, Object.keys(mine), theirs, seen, write).filter(
    ({ column, theirs: now }) => now !== write(mine[column] ?? null, columns.get(column)),
  )
}

/** Those of the fields that somebody has changed since they were seen. */
export function changedSince(
  open: OpenTable,
  names: readonly string[],
  now: Values,
  seen: Texts,
  write: FieldWriter,
): FieldConflict[] {
  const columns = columnsOf(open)
  return names.flatMap((name) => {
    const theirs = write(now[name] ?? null, columns.get(name))
    if (theirs === seen[name] || !open.access.canRead(name)) return []
    const label = open.definition.columns.get(name)?.label ?? name
    return [{ column: name, label, theirs, who: null }]
  })
}

/** What a row must still hold of these columns. Nobody can expect what they are not shown. */
export const expected = (before: Values, columns: readonly string[]): Values =>
  Object.fromEntries(
    columns.flatMap((name): [string, Value][] =>
      Object.hasOwn(before, name) ? [[name, before[name] ?? null]] : [],
    ),
  )
