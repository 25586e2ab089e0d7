/** What a form and a cell do alike: they read a row, and save what a person has changed of it. */

import { amountErrors } from './amounts.ts'
import { messagesFor } from '../../../messages/messages.ts'
import { fileSize } from '../../../protocol/file-size.ts'
import type { SavedSections, SectionProblems } from '../../../protocol/form-sections.ts'
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
import { namesOf } from '../../files/file-cell.ts'
import { labelText } from '../../references.ts'
import type { Door } from '../../source/ledger-entry.ts'
import type { RowSource } from '../../source/row-source.ts'
import type { KeyValues, Value } from '../../source/value.ts'
import type { RowChange, Values } from '../../source/write-unit.ts'
import { rowName } from '../name.ts'
import { bytesRules, FIELD_BYTES_MAX } from './bytes-field.ts'
import { changedBy } from './changed-by.ts'
import { type ChangedFiles, type FormUploads, readFiles } from './changed-files.ts'
import {
  conflictsOf,
  expected,
  type ReadAll,
  readAll,
  type Texts,
  withoutEmptied,
} from './changed.ts'
import { fieldWriter } from './field-texts.ts'
import { emptyRow, onlyShown } from './not-shown.ts'
import type { Readings } from './readings.ts'
import { type Prepared, prepareSections } from './save-sections.ts'
import { withSchemaErrors } from './schema-errors.ts'
import type { SectionServices } from './section-change.ts'
import { withKeys } from './with-keys.ts'

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
  /** How their texts were read when they were drawn, and those of sections. Left out where that was just now. */
  readonly readings?: Readings | undefined
  /** What was changed in the sections of its form; left out for nothing. */
  readonly sections?: SavedSections | null
  /** The files that were uploaded for the fields. Left out where none are taken. */
  readonly uploads?: FormUploads
}

/** How often a row is read anew because somebody has changed it before it was written. */
const OVERTAKEN_TIMES = 3

/** What became of it, and the key of the row that was written. */
type Written = { readonly result: SaveResult; readonly written?: KeyValues }

export function createSaving({ source, door, ledger, href }: SavingServices) {
  /** All values of a row that the actor may be shown; `undefined` if it is gone. */
  async function readRow(open: OpenTable, text: string): Promise<Values | undefined> {
    const key = open.keys.read(text)
    if (!key) return undefined
    const columns = readableOf(open)
    const isBytes = (name: string) => bytesRules(open, name) !== undefined
    // One more than a form replaces tells that there are too many.
    const cut = { columns: columns.filter(isBytes), length: FIELD_BYTES_MAX + 1 }
    const row = await source.row(open.access, key, { columns, cut })
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
  async function write(saved: Saved, left = OVERTAKEN_TIMES): Promise<Written> {
    const { open, actor, reader, door: by, key, ...asked } = saved
    const { form, problems } = messagesFor(reader.language)
    const { table } = open.access
    const before = key === null ? null : await readRow(open, key)
    if (before === undefined)
      return { result: { status: 'refused', errors: { '': [problems.missing] }, conflicts: [] } }
    const { changed, readings, uploads } = asked
    const files = await readFiles(changed, { open, before, uploads, reader })
    // A new row is saved with the texts that it began with; those that were typed over were seen.
    const begun = before ? asked.seen : { ...asked.changed, ...asked.seen }
    const others = await withKeys(source, open, files.others, reader)
    const all = withFiles(
      readAll(open, others, reader, { row: before ?? emptyRow(open), seen: begun, readings }),
      files,
    )
    // A copy may begin with an empty text, which nobody has typed.
    const held = before ?? begun
    const read = withoutEmptied(open, all, held, key === null)
    // A form's conditions do not concern a cell, which is shown anyway.
    const shown = by === 'form' ? shownOf(open, before ?? emptyRow(open), read) : read
    const { values } = shown
    const row = changeOf(open, key, values, before)
    const amounts = before ? amountErrors(open, before, values, { by, reader }) : {}
    const errors = withSchemaErrors(open, row, { ...amounts, ...shown.errors }, reader)
    const owner = { open, row: before, reader, readings }
    const prepared = asked.sections
      ? await prepareSections(sectionServices(reader), owner, asked.sections)
      : NOTHING_PREPARED
    const conflicts = before
      ? conflictsOf(open, values, before, asked.seen, fieldWriter(open, reader, before))
      : []
    const isClear = isEmpty(errors) && conflicts.length === 0 && isEmpty(prepared.problems)
    if (!isClear) {
      const columns = conflicts.map(({ column }) => column)
      const isTold = key !== null && columns.length > 0
      const authors = isTold ? await authorsOf(open, { key, columns, reader }, before) : {}
      const theirs = columns.map((name) => [name, before?.[name] ?? null] as const)
      const labels = await labelsOf(open, Object.fromEntries(theirs))
      const told = conflicts.map((one): FieldConflict => {
        const theirLabel =
          labels.get(one.column) ??
          filesText(open, one.column, before?.[one.column]) ??
          sizeOf(before?.[one.column], reader)
        const who = authors[one.column] ?? null
        return { ...one, who, ...(theirLabel != null && { theirLabel }) }
      })
      const problems = sectionsIn(prepared.problems)
      return { result: { status: 'refused', errors, conflicts: told, ...problems } }
    }
    const isKeyChanged = before !== null && table.key.some((name) => Object.hasOwn(values, name))
    // Lines follow a key that changes, so they are written while they are found by the one that it was.
    const at = isKeyChanged ? prepared.tables.length : 0
    const isChanged = before === null || !isEmpty(values) || prepared.tables.length === 0
    const own = isChanged ? [{ table: table.name, rows: [row] }] : []
    // What is refused after that is kept again, or swept.
    await files.keep()
    const tables = prepared.tables.toSpliced(at, 0, ...own)
    const outcome = await door
      .save(actor, { door: by, tables })
      .catch((error: unknown) => notTaken(error, reader))
    if ('result' in outcome) return outcome
    if (outcome.status === 'refused') {
      // Once it is read anew, it can be told whose change that is.
      const isOvertaken = outcome.problems.some(({ kind }) => kind === 'conflict')
      return isOvertaken && left > 1
        ? write(saved, left - 1)
        : {
            result: refusedBy(open, outcome.problems, {
              ...{ at: isChanged ? at : null, prepared, reader },
            }),
          }
    }
    // The row is saved, whatever becomes of that.
    await files.use().catch(() => undefined)
    const written = isChanged ? outcome.keys[at]?.[0] : open.keys.read(key ?? '')
    const record = written ? open.keys.record(written) : null
    const list = href(table.name)
    const valueOf = (column: string) =>
      Object.hasOwn(values, column) ? values[column] : before?.[column]
    const name = written ? rowName(open, written, valueOf, reader) : open.definition.label
    const keys = prepared.keysOf(isChanged ? outcome.keys.toSpliced(at, 1) : outcome.keys)
    const result: SaveResult = {
      ...{ status: 'saved', text: form.saved(name), entry: outcome.entry },
      href: record === null ? list : recordHref(list, record, ''),
      ...(!isEmpty(keys) && { keys }),
    }
    return { result, ...(written && { written }) }
  }

  const sectionServices = (reader: Reader): SectionServices => ({
    source,
    authorsOf: async (open, { key, values: all }, columns) => {
      const values = Object.fromEntries(columns.map((name) => [name, all[name] ?? null]))
      return ledger ? changedBy(ledger, { open, key, values, reader }) : {}
    },
  })

  /** Which fields are not shown once the texts that can be read are in the row. */
  async function notShownWith(
    open: OpenTable,
    { key, changed, reader }: Pick<Saved, 'key' | 'changed' | 'reader'>,
  ): Promise<string[]> {
    const before = key === null ? emptyRow(open) : await readRow(open, key)
    // Of a row that is gone there is no form.
    if (!before) return []
    const action = key === null ? 'create' : 'update'
    const writable = Object.entries(changed).filter(([name]) => open.access.canWrite(name, action))
    const isFile = (name: string) => open.definition.columns.get(name)?.file !== undefined
    const [files, others] = [true, false].map((wanted) =>
      Object.fromEntries(writable.filter(([name]) => isFile(name) === wanted)),
    )
    const seen = key === null ? changed : {}
    const { values } = readAll(open, others ?? {}, reader, { row: before, seen })
    return [...onlyShown(open, before, { ...values, ...files }).notShown]
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

  return {
    ...{ readRow, labelsOf, notShownWith, authorsOf },
    write: (saved: Saved) => write(saved),
    save: async (saved: Saved): Promise<SaveResult> => (await write(saved)).result,
  }
}

/** Why the database does not take so much at once. Throws all else. */
function notTaken(error: unknown, reader: Reader): Written {
  const why = error instanceof AppError && error.code === 'REFUSED' && error.detailFor(reader)
  if (!why) throw error
  return { result: { status: 'refused', errors: { '': [why] }, conflicts: [] } }
}

const readableOf = ({ access }: OpenTable): string[] =>
  access.table.columns.map(({ name }) => name).filter((name) => access.canRead(name))

/** Files are told by their names. */
function filesText(
  { definition }: OpenTable,
  name: string,
  value: Value | undefined,
): string | undefined {
  const column = definition.columns.get(name)
  return column?.file && value != null ? namesOf(column, value).join(', ') : undefined
}

/** Bytes are told by how many there are. */
const sizeOf = (value: Value | undefined, { locale }: Reader): string | undefined =>
  value instanceof Uint8Array ? fileSize(value.byteLength, locale) : undefined

const withFiles = (
  { values, errors }: ReadAll,
  files: Pick<ChangedFiles, 'values' | 'errors'>,
): ReadAll => ({
  values: { ...values, ...files.values },
  errors: { ...errors, ...files.errors },
})

/** Without the fields that the form does not show, whatever they hold. */
function shownOf(open: OpenTable, before: Values, { values: all, errors }: ReadAll): ReadAll {
  const { values, notShown } = onlyShown(open, before, all)
  const told = Object.entries(errors).filter(([name]) => !notShown.includes(name))
  return { values, errors: Object.fromEntries(told) }
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
  return { update: key, set: values, expect: expected(before, Object.keys(values)) }
}

type Refusing = {
  /** The place of the row's own table in the change; `null` if only its sections were changed. */
  readonly at: number | null
  readonly prepared: Prepared
  readonly reader: Reader
}

/** Each problem at its fields; one about several fields stands at the first. */
function refusedBy(
  { definition }: OpenTable,
  problems: readonly ChangeProblem[],
  { at: own, prepared, reader }: Refusing,
): SaveResult {
  const errors: { [column: string]: string[] } = {}
  const isOwn = ({ place }: ChangeProblem) => place.table === own
  for (const problem of problems.filter(isOwn)) {
    const [at = ''] = problem.columns
    errors[at] = [...(errors[at] ?? []), problemText(problem, definition, reader)]
  }
  const others = problems.filter((problem) => !isOwn(problem))
  const sections = prepared.told(
    others.map((problem) => {
      const { table } = problem.place
      return { at: own !== null && table > own ? table - 1 : table, problem }
    }),
  )
  return { status: 'refused', errors, conflicts: [], ...sectionsIn(sections) }
}

const NOTHING_PREPARED: Prepared = {
  tables: [],
  problems: {},
  told: () => ({}),
  keysOf: () => ({}),
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0

const sectionsIn = (sections: SectionProblems) => (isEmpty(sections) ? undefined : { sections })
