/** Finds a row's rank in an order. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Run, SortTerm } from '../../table/source/row-source.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { countRows } from './count.ts'
import { keyPredicate } from './keys.ts'
import { pageShape, runsOf } from './page-sql.ts'
import { startQuestion } from './question.ts'

export type RankOf = {
  readonly access: Access
  readonly where: Predicate
  readonly sort: readonly SortTerm[]
  readonly key: KeyValues
}

/** `runner` reads the row, and `counting` counts the rows before it. */
export async function readRank(
  runner: QueryRunner,
  counting: QueryRunner,
  { access, where, sort, key }: RankOf,
  run?: Run,
): Promise<number | undefined> {
  const only: Predicate = { op: 'and', all: [keyPredicate(access, key), where] }
  const query = { columns: [], sort, size: 1, place: { at: 'first' } } as const
  const found = pageShape(runner.catalogue, access, { ...query, where: only })
  const { rows } = await runner.read(startQuestion(runner, found, { backwards: false }, 1), run)
  const [row] = rows
  if (!row) return undefined
  const shape = pageShape(runner.catalogue, access, { ...query, where })
  const anchor = { sort: found.sortPlaces.map((place) => row[place] ?? null), key }
  // Backwards from the row, which is included.
  const runs = runsOf(counting, shape, { backwards: true, anchor })
  return countRows(counting, { access, where, runs, sort }, run)
}
