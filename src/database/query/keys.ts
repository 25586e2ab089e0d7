/** Reads the keys of all rows that match, in key order, and digests of what they hold. */

import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { DigestOptions, NotedRows, Run } from '../../table/source/row-source.ts'
import { type Column, LONG_TYPES, type Table } from '../../table/source/schema.ts'
import { rowDigest } from '../../table/source/row-digest.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { Answer, QueryRunner } from '../query-runner.ts'
import { readableColumn, tableOf } from './scope.ts'
import { startQuestion } from './question.ts'
import { isAtAnchor } from './page-rows.ts'
import { type PageShape, pageShape, type Start } from './page-sql.ts'

/** Default number of keys in one chunk. */
const CHUNK = 10_000
/** Rows in one read: without an index, each read sorts all keys again. With values they are fewer, for their length. */
const READ = 50_000
const READ_VALUES = 10_000
const READ_LONG = 1000
/** What may take long reads this part of them at once where an index serves it, so that others have the thread between. */
const SMALL_PART = 1 / 10
/** Rows after which others have the thread, however many were read. */
const TURN_ROWS = 1000
/** Most characters of a text that is not long. */
const SHORT = 1000

const mayBeLong = ({ type, maxLength = Infinity }: Column): boolean =>
  LONG_TYPES.has(type) && maxLength > SHORT

type Chunked = Run & { readonly chunk?: number }

export function readKeys(
  runner: QueryRunner,
  access: Access,
  where: Predicate,
  options: Chunked = {},
): AsyncGenerator<KeyValues[]> {
  const shape = shapeOf(runner, access, { where, columns: [], size: READ })
  // Without other columns, a row is its key.
  return readChunks(runner, shape, (row) => row, options)
}

export async function* readDigests(
  runner: QueryRunner,
  access: Access,
  { where, columns }: { readonly where: Predicate; readonly columns: readonly string[] },
  options: Run & DigestOptions = {},
): AsyncGenerator<NotedRows> {
  if (columns.length === 0) {
    for await (const keys of readKeys(runner, access, where, options)) yield { keys, digests: null }
    return
  }
  const named = { of: tableOf(runner.catalogue, access), access }
  const isLong = columns.map((one) => readableColumn(named, one)).some(mayBeLong)
  const size = isLong ? READ_LONG : READ_VALUES
  const shape = shapeOf(runner, access, { where, columns, size })
  const { note, ...chunked } = options
  const digested = (row: Value[]) => {
    const values = row.slice(0, columns.length)
    return { key: keyIn(shape, row), digest: rowDigest(values), note: note?.(values) ?? null }
  }
  for await (const rows of readChunks(runner, shape, digested, chunked)) {
    const keys = rows.map(({ key }) => key)
    const digests = rows.map(({ digest }) => digest)
    yield { keys, digests, ...(note && { notes: rows.map((row) => row.note) }) }
  }
}

function shapeOf(
  { catalogue }: QueryRunner,
  access: Access,
  query: { readonly where: Predicate; readonly columns: readonly string[]; readonly size: number },
): PageShape {
  const shape = pageShape(catalogue, access, { ...query, sort: [], place: { at: 'first' } })
  if (shape.keyPlaces.length === 0) throw withoutKey(access)
  return shape
}

/** Each read is a statement of its own, so the rows may change between two reads; others have their turns between them. */
async function* readChunks<Kept>(
  runner: QueryRunner,
  shape: PageShape,
  keep: (row: Value[]) => Kept,
  { chunk = CHUNK, ...run }: Chunked,
): AsyncGenerator<Kept[]> {
  const most = shape.query.size
  const few = run.isLong ? most * SMALL_PART : most
  const kept: Kept[] = []
  let size = few
  let start: Start | undefined = { backwards: false }
  while (start) {
    const answer: Answer = await runner.read(startQuestion(runner, shape, start, size), run)
    const { rows } = answer
    // Each read starts at the last key of the one before, if its row still exists.
    const isRepeated = start.anchor && rows[0] && isAtAnchor(shape, rows[0], start.anchor)
    const fresh = isRepeated ? rows.slice(1) : rows
    for (let from = 0; from < fresh.length; from += TURN_ROWS) {
      if (start.anchor || from > 0) await setImmediate()
      for (const row of fresh.slice(from, from + TURN_ROWS)) kept.push(keep(row))
    }
    while (kept.length >= chunk) yield kept.splice(0, chunk)
    const last = rows.length < size ? undefined : rows.at(-1)
    size = answer.isServed ? few : most
    start = last && { backwards: false, anchor: { sort: [], key: keyIn(shape, last) } }
  }
  if (kept.length > 0) yield kept
}

const keyIn = ({ keyPlaces }: PageShape, row: readonly Value[]): KeyValues =>
  keyPlaces.map((place) => row[place] ?? null)

/** The row with this key. Throws `TABLE_READ_ONLY` without a key, `REQUEST_INVALID` for another number of parts. */
export function keyPredicate(access: Access, key: KeyValues): Predicate {
  const { table } = access
  if (table.key.length === 0) throw withoutKey(access)
  checkKey(table, key)
  return {
    op: 'and',
    all: table.key.map((column, i) => ({ op: 'eq', column, value: key[i] ?? null })),
  }
}

/** Throws `REQUEST_INVALID` for a key with more or fewer parts than the table's. */
export function checkKey({ name, key: columns }: Table, key: KeyValues): void {
  if (key.length !== columns.length)
    throw new AppError('REQUEST_INVALID', {
      detail: ({ rows }, number) => rows.keyParts(name, number(columns.length)),
    })
}

/** Identifies a part of a key, which may be a number on one side of a relation and a text on the other. */
export const valueText = (value: Value): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)

/** A table without a key can be read, but its rows can be neither selected nor changed. */
export const withoutKey = (access: Access): AppError =>
  new AppError('TABLE_READ_ONLY', {
    detail: ({ rows }) => rows.noKey(access.table.name),
  })

/** A view through which its database writes nothing. */
export const notThrough = (access: Access): AppError =>
  new AppError('TABLE_READ_ONLY', {
    detail: ({ rows }) => rows.notThroughView(access.table.name),
  })
