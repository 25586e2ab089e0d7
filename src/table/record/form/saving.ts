/** What a form and a cell do alike: they read a row, save what a person has changed of it, and suggest related rows. */

import { messagesFor } from '../../../messages/messages.ts'
import type { FieldConflict, SaveResult } from '../../../protocol/form-view.ts'
import { recordHref } from '../../../protocol/record-view.ts'
import type { Actor } from '../../../server/actor.ts'
import { AppError } from '../../../server/app-error.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { OpenTable } from '../../catalog.ts'
import type { ChangeProblem } from '../../changes/change.ts'
import type { ChangeDoor } from '../../changes/door.ts'
import type { Ledger } from '../../changes/ledger.ts'
import { problemText } from '../../changes/problem-text.ts'
import { labelText } from '../../references.ts'
import type { Door } from '../../source/ledger-entry.ts'
import type { RowSource } from '../../source/row-source.ts'
import type { KeyValues, Value } from '../../source/value.ts'
import type { RowChange, Values } from '../../source/write-unit.ts'
import { rowName } from '../name.ts'
import { changedBy } from './changed-by.ts'
import { emptyRow, onlyShown } from './not-shown.ts'
import { readText } from './read-text.ts'
import { writeText } from './write-text.ts'

/** Texts of fields by column; `null` is NULL. */
export type Texts = { readonly [column: string]: string | null }

export type SavingServices = {
  readonly source: RowSource
  readonly door: ChangeDoor
  /** Where changes are kept. Absent: nowhere, so that nobody knows who has made them. */
  readonly ledger?: Pick<Ledger, 'list' | 'images'> | undefined
  /** Address of a table's listing. */
  href(table: string): string
}

export type Saved = {
  readonly open: OpenTable
  readonly actor: Actor
  readonly reader: Reader
  readonly door: Door
  /** The row; `null` for a new one. */
  readonly key: string | null
  /** The fields that the person has changed, and what each held when they began to. */
  readonly changed: Texts
  readonly seen: Texts
}

/** Most related rows that are offered. */
const OFFERED = 20
/** How often a row is read anew because somebody has changed it before it was written. */
const OVERTAKEN_TIMES = 3

export function createSaving({ source, door, ledger, href }: SavingServices) {
  /** All values of a row that the actor may be shown; `undefined` if it is gone. */
  async function readRow(open: OpenTable, text: string): Promise<Values | undefined> {
    const key = open.keys.read(text)
    if (!key) return undefined
    const columns = readableOf(open)
    const row = await source.row(open.access, key, { columns })
    if (!row) return undefined
    const { values, masked } = row
    return Object.fromEntries(
      columns.flatMap((name, at): [string, Value][] =>
        masked?.has(at) ? [] : [[name, values[at] ?? null]],
      ),
    )
  }

  /** The labels of the rows that the values refer to. */
  async function labelsOf(open: OpenTable, values: Values): Promise<Map<string, string | null>> {
    const named = [...open.relations].filter(([column]) => column in values)
    const found = named.map(async ([column, { access, references, label }]) => {
      const value = values[column] ?? null
      if (value === null) return [column, null] as const
      const page = await source.page(access, {
        ...{ columns: [label], sort: [], size: 1, place: { at: 'first' } },
        where: { op: 'eq', column: references, value },
      })
      return [column, labelText(page.rows[0]?.values[0] ?? null)] as const
    })
    return new Map(await Promise.all(found))
  }

  /** Writes what was changed and nothing else, or says at each field what stands in the way. */
  async function save(saved: Saved, left = OVERTAKEN_TIMES): Promise<SaveResult> {
    const { open, actor, reader, door: by, key, ...asked } = saved
    const { form, problems } = messagesFor(reader.language)
    const { table } = open.access
    const read = readAll(open, asked.changed, reader)
    const before = key === null ? null : await readRow(open, key)
    if (before === undefined)
      return { status: 'refused', errors: { '': [problems.missing] }, conflicts: [] }
    // A form's conditions do not concern a cell, which is shown anyway.
    const { values, errors } = by === 'form' ? shownOf(open, before ?? emptyRow(open), read) : read
    if (Object.keys(errors).length > 0) return { status: 'refused', errors, conflicts: [] }
    const conflicts = before ? conflictsOf(open, values, before, asked.seen) : []
    if (key !== null && conflicts.length > 0) {
      const columns = conflicts.map(({ column }) => column)
      const authors = await authorsOf(open, { key, columns, reader }, before)
      const told = conflicts.map((one) => ({ ...one, who: authors[one.column] ?? null }))
      return { status: 'refused', errors: {}, conflicts: told }
    }
    const row = changeOf(open, key, values, before)
    const outcome = await door.save(actor, {
      ...{ door: by, tables: [{ table: table.name, rows: [row] }] },
    })
    if (outcome.status === 'refused') {
      // Once it is read anew, it can be told whose change that is.
      const isOvertaken = outcome.problems.some(({ kind }) => kind === 'conflict')
      return isOvertaken && left > 1
        ? save(saved, left - 1)
        : refusedBy(open, outcome.problems, reader)
    }
    const written = outcome.keys[0]?.[0]
    const record = written === undefined ? null : open.keys.record(written)
    const list = href(table.name)
    const valueOf = (column: string) => values[column] ?? before?.[column]
    const name = written ? rowName(open, written, valueOf, reader) : open.definition.label
    return {
      ...{ status: 'saved', text: form.saved(name), entry: outcome.entry },
      href: record === null ? list : recordHref(list, record, ''),
    }
  }

  /** Which fields are not shown once the texts that can be read are in the row. */
  async function notShownWith(
    open: OpenTable,
    { key, changed, reader }: Pick<Saved, 'key' | 'changed' | 'reader'>,
  ): Promise<string[]> {
    const before = key === null ? emptyRow(open) : await readRow(open, key)
    // Of a row that is gone there is no form.
    if (!before) return []
    const writable = Object.entries(changed).filter(([name]) => open.access.canWrite(name))
    const { values } = readAll(open, Object.fromEntries(writable), reader)
    return [...onlyShown(open, before, values).notShown]
  }

  /** Who last changed these fields, a sentence each; nothing where no history is kept. `held`: what the row holds. */
  async function authorsOf(
    open: OpenTable,
    { key: text, columns, reader }: { key: string; columns: readonly string[]; reader: Reader },
    held: Values | null = null,
  ): Promise<{ [column: string]: string }> {
    const key = open.keys.read(text)
    const row = held ?? (await readRow(open, text))
    if (!ledger || !key || !row) return {}
    const values = Object.fromEntries(
      columns.flatMap((name) => (name in row ? [[name, row[name] ?? null] as const] : [])),
    )
    return changedBy(ledger, { open, key, values, reader })
  }

  /** Rows of the table that a column refers to whose labels hold the text. Throws `NOT_FOUND`. */
  async function suggest(
    open: OpenTable,
    { column, text: asked, signal }: { column: string; text: string; signal: AbortSignal },
  ): Promise<{ text: string; label: string }[]> {
    const relation = open.relations.get(column)
    if (!relation) throw new AppError('NOT_FOUND')
    const { access, references, label } = relation
    const page = await source.page(
      access,
      {
        ...{ columns: [references, label], size: OFFERED, place: { at: 'first' } },
        sort: [{ column: label, descending: false }],
        where:
          asked.trim() === ''
            ? { op: 'and', all: [] }
            : { op: 'contains', column: label, text: asked.trim() },
      },
      { signal },
    )
    return page.rows.flatMap(({ values: [key = null, name = null] }) => {
      const text = writeText(key)
      return text === null ? [] : [{ text, label: labelText(name) ?? text }]
    })
  }

  return {
    readRow,
    labelsOf,
    save: (saved: Saved) => save(saved),
    notShownWith,
    authorsOf,
    suggest,
  }
}

const readableOf = ({ access }: OpenTable): string[] =>
  access.table.columns.map(({ name }) => name).filter((name) => access.canRead(name))

type ReadAll = { readonly values: Values; readonly errors: { [column: string]: string[] } }

/** Without the fields that the form does not show, whatever they hold. */
function shownOf(open: OpenTable, before: Values, { values: all, errors }: ReadAll): ReadAll {
  const { values, notShown } = onlyShown(open, before, all)
  const told = Object.entries(errors).filter(([name]) => !notShown.includes(name))
  return { values, errors: Object.fromEntries(told) }
}

/** The values of texts, and what is wrong with those that cannot be read, all at once. */
function readAll(open: OpenTable, changed: Texts, { locale, language }: Reader): ReadAll {
  const { form } = messagesFor(language)
  const columns = new Map(open.access.table.columns.map((column) => [column.name, column]))
  const errors: { [column: string]: string[] } = {}
  const values: Record<string, Value> = {}
  for (const [name, text] of Object.entries(changed)) {
    const column = columns.get(name)
    if (!column || !open.access.canWrite(name)) throw new AppError('FORBIDDEN')
    const read = readText(column, text, locale)
    if ('problem' in read) errors[name] = [form.unreadable[read.problem]]
    else values[name] = read.value
  }
  return { values, errors }
}

/** The fields that somebody else has changed since the person began to, and to something else. */
function conflictsOf(
  { definition, access }: OpenTable,
  mine: Values,
  theirs: Values,
  seen: Texts,
): FieldConflict[] {
  const columns = new Map(access.table.columns.map((column) => [column.name, column]))
  return Object.entries(mine).flatMap(([name, value]) => {
    const column = columns.get(name)
    const now = writeText(theirs[name] ?? null, column)
    const isSame = now === seen[name] || now === writeText(value, column)
    if (isSame || !access.canRead(name)) return []
    const label = definition.columns.get(name)?.label ?? name
    return [{ column: name, label, theirs: now, who: null }]
  })
}

/** Only what was changed is written, and only if it is still what was just read. */
function changeOf(
  { keys }: OpenTable,
  text: string | null,
  values: Values,
  before: Values | null,
): RowChange {
  if (text === null || before === null) return { insert: values }
  // It was read by this key.
  const key: KeyValues = keys.read(text)!
  const expect = Object.fromEntries(
    // Nobody can expect what they are not shown.
    Object.keys(values).flatMap((name): [string, Value][] =>
      Object.hasOwn(before, name) ? [[name, before[name] ?? null]] : [],
    ),
  )
  return { update: key, set: values, expect }
}

/** Each problem at its fields; one about several fields stands at the first. */
function refusedBy(
  { definition }: OpenTable,
  problems: readonly ChangeProblem[],
  reader: Reader,
): SaveResult {
  const errors: { [column: string]: string[] } = {}
  for (const problem of problems) {
    const [at = ''] = problem.columns
    errors[at] = [...(errors[at] ?? []), problemText(problem, definition, reader)]
  }
  return { status: 'refused', errors, conflicts: [] }
}
