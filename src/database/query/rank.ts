/** Finds a row's rank in an order. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Run, SortColumn } from '../../table/source/row-source.ts'
import type { KeyValues } from '../../table/source/value.ts'
import { queryScope, type QueryRunner } from '../query-runner.ts'
import { keyPredicate } from './keys.ts'
import type { Block } from './keyset.ts'
import { startQuestion } from './page-question.ts'
import { anyRun, pageShape, runsOf, type PageShape } from './page-sql.ts'
import { conditions } from './predicate-sql.ts'
import { fromSql, guards, scopeOf, type SqlContext } from './scope.ts'
import { all, sql, type Sql } from './sql.ts'

export type RankOf = {
  readonly access: Access
  readonly where: Predicate
  readonly sort: readonly SortColumn[]
  readonly key: KeyValues
}

/** The runs whose rows are counted. */
export type RankSelect = { readonly shape: PageShape; readonly runs: readonly Block[] }

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
  const counted = await counting.read(
    {
      ...queryScope(counting.catalogue, access, where),
      select: { of: 'rank', shape, runs },
      cells: [],
      need: { of: 'scan' },
      isLong: true,
    },
    run,
  )
  return Number(counted.rows[0]?.[0])
}

export function rankSql(context: SqlContext, { shape, runs }: RankSelect): Sql {
  const scope = scopeOf(context, shape.access)
  const demands = [...guards(scope), anyRun(runs), ...conditions(scope, shape.query.where)]
  return sql`select count(*) from ${fromSql(scope)} where ${all(demands)}`
}
