/** Reads the keys of all rows that match, in key order. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Run } from '../../table/source/row-source.ts'
import type { Table } from '../../table/source/schema.ts'
import { digestOf, type SeenRow } from '../../table/source/seen-values.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { startQuestion } from './question.ts'
import { isAtAnchor } from './page-rows.ts'
import { type PageShape, pageShape, type Start } from './page-sql.ts'

/** Default number of keys in one chunk. */
const CHUNK = 10_000
/** Keys in one read: without an index, each read sorts all keys again. Rows with their values are fewer. */
const READ = 50_000
const READ_VALUES = 10_000

type Chunked = Run & { readonly chunk?: number }

export async function* readKeys(
  runner: QueryRunner,
  access: Access,
  where: Predicate,
  options: Chunked = {},
): AsyncGenerator<KeyValues[]> {
  // Without other columns, a row is its key.
  yield* readRows(runner, shapeOf(runner, access, { where, columns: [], size: READ }), options)
}

export async function* readSeen(
  runner: QueryRunner,
  access: Access,
  { where, columns }: { readonly where: Predicate; readonly columns: readonly string[] },
  options: Chunked = {},
): AsyncGenerator<SeenRow[]> {
  const shape = shapeOf(runner, access, { where, columns, size: READ_VALUES })
  for await (const rows of readRows(runner, shape, options))
    yield rows.map((row) => ({
      key: keyIn(shape, row),
      seen: digestOf(row.slice(0, columns.length)),
    }))
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

/** Each read is a statement of its own, so the rows may change between two reads. */
async function* readRows(
  runner: QueryRunner,
  shape: PageShape,
  { chunk = CHUNK, ...run }: Chunked,
): AsyncGenerator<Value[][]> {
  const { size } = shape.query
  let start: Start | undefined = { backwards: false }
  while (start) {
    const { rows: found }: { readonly rows: Value[][] } = await runner.read(
      startQuestion(runner, shape, start, size + 1),
      run,
    )
    // Each read starts at the last key of the one before, if its row still exists.
    const { anchor }: Start = start
    const [top] = found
    const isRepeated = anchor !== undefined && top !== undefined && isAtAnchor(shape, top, anchor)
    const rows: Value[][] = isRepeated ? found.slice(1) : found
    for (let i = 0; i < rows.length; i += chunk) yield rows.slice(i, i + chunk)
    const last = rows.at(-1)
    const isMore = last && found.length > size
    start = isMore ? { backwards: false, anchor: { sort: [], key: keyIn(shape, last) } } : undefined
  }
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
