/** Counts the rows of a table. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Count, Run, SortTerm } from '../../table/source/row-source.ts'
import type { QueryRunner } from '../query-runner.ts'
import { anyRun, type Block } from './keyset.ts'
import { conditions } from './predicate-sql.ts'
import { scanQuestion } from './question.ts'
import { fromSql, guards, type SqlContext } from './scope.ts'
import { joinsSql, scopeOfSorted, sortedTable } from './sort-labels.ts'
import { all, sql, type Sql } from './sql.ts'

/** The rows to count. */
export type Counted = {
  readonly access: Access
  readonly where: Predicate
  /** Only the rows of these runs of an order. Default: all. */
  readonly runs?: readonly Block[]
  /** Their order. */
  readonly sort?: readonly SortTerm[]
  /** Where to stop. Default: at the end. */
  readonly most?: number | undefined
}

export async function readCount(
  runner: QueryRunner,
  access: Access,
  where: Predicate,
  { bound, ...run }: Run & { readonly bound?: number } = {},
): Promise<Count> {
  const most = bound === undefined ? bound : bound + 1
  const count = await countRows(runner, { access, where, most }, run)
  return bound !== undefined && count > bound
    ? { kind: 'atLeast', count: bound }
    : { kind: 'exact', count }
}

export async function countRows(runner: QueryRunner, counted: Counted, run?: Run): Promise<number> {
  const { rows } = await runner.read(scanQuestion(runner, { of: 'count', ...counted }), run)
  return Number(rows[0]?.[0])
}

export function countSql(
  context: SqlContext,
  { access, where, runs, sort = [], most }: Counted,
): Sql {
  const scope = scopeOfSorted(context, access, sortedTable(context.catalogue, access, sort))
  const demands = [...(runs ? [anyRun(runs)] : []), ...conditions(scope, where)]
  // Without conditions SQLite counts whole index pages, much faster than row by row with a guard.
  if (demands.length === 0 && most === undefined) return sql`select count(*) from ${fromSql(scope)}`
  const limit = most === undefined ? sql`` : sql` ${context.dialect.limit(most)}`
  const matching = sql`${fromSql(scope)}${joinsSql(scope)} where ${all([...guards(scope), ...demands])}${limit}`
  return sql`select count(*) from (select 1 as one from ${matching}) as counted`
}
