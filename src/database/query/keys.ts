/** Reads the keys of all rows that match, in key order. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Run } from '../../table/source/row-source.ts'
import type { Table } from '../../table/source/schema.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { startQuestion } from './question.ts'
import { isAtAnchor } from './page-rows.ts'
import { pageShape, type Start } from './page-sql.ts'

/** Default number of keys in one chunk. */
const CHUNK = 10_000
/** Keys in one read: without an index, each read sorts all keys again. */
const READ = 50_000

/** Each read is a statement of its own, so the rows may change between two reads. */
export async function* readKeys(
  runner: QueryRunner,
  access: Access,
  where: Predicate,
  { chunk = CHUNK, ...run }: Run & { readonly chunk?: number } = {},
): AsyncGenerator<KeyValues[]> {
  const query = { columns: [], where, sort: [], size: READ, place: { at: 'first' } } as const
  const shape = pageShape(runner.catalogue, access, query)
  if (shape.keyPlaces.length === 0) throw withoutKey(access)
  let start: Start | undefined = { backwards: false }
  while (start) {
    const { rows } = await runner.read(startQuestion(runner, shape, start, READ + 1), run)
    // Each read starts at the last key of the one before, if its row still exists.
    const isRepeated = start.anchor && rows[0] && isAtAnchor(shape, rows[0], start.anchor)
    const keys: KeyValues[] = isRepeated ? rows.slice(1) : rows
    for (let i = 0; i < keys.length; i += chunk) yield keys.slice(i, i + chunk)
    const last = keys.at(-1)
    const isMore = last && rows.length > READ
    start = isMore ? { backwards: false, anchor: { sort: [], key: last } } : undefined
  }
}

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
