/** Reads the keys of all rows that match, in key order. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Run } from '../../table/source/row-source.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { startQuestion } from './page-question.ts'
import { isAtAnchor } from './page-rows.ts'
import { pageShape, type Start } from './page-sql.ts'

/** Keys in one chunk unless told otherwise. */
const CHUNK = 10_000
/** Keys read at once: where they must be sorted first, each read sorts them all again. */
const READ = 50_000

/** No read lasts longer than its own statement: the rows may change between two of them. */
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
    // Reading on starts at the last key that was given, if its row is still there.
    const known = start.anchor && rows[0] && isAtAnchor(shape, rows[0], start.anchor)
    const keys: KeyValues[] = known ? rows.slice(1) : rows
    for (let i = 0; i < keys.length; i += chunk) yield keys.slice(i, i + chunk)
    const last = keys.at(-1)
    const isMore = last && rows.length > READ
    start = isMore ? { backwards: false, anchor: { sort: [], key: last } } : undefined
  }
}

/** The row of this key. Throws `TABLE_READ_ONLY` for rows without one, `REQUEST_INVALID` for another one's. */
export function keyPredicate(access: Access, key: KeyValues): Predicate {
  const { table } = access
  if (table.key.length === 0) throw withoutKey(access)
  if (key.length !== table.key.length)
    throw new AppError('REQUEST_INVALID', {
      detail: ({ rows }, number) => rows.keyParts(table.name, number(table.key.length)),
    })
  return {
    op: 'and',
    all: table.key.map((column, i) => ({ op: 'eq', column, value: key[i] ?? null })),
  }
}

/** Rows that nothing identifies can be read, but neither selected nor changed. */
export const withoutKey = (access: Access): AppError =>
  new AppError('TABLE_READ_ONLY', {
    detail: ({ rows }) => rows.noKey(access.table.name),
  })
