/** Counts the rows of a table. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Count, Run } from '../../table/source/row-source.ts'
import { queryScope, type QueryRunner } from '../query-runner.ts'
import { conditions } from './predicate-sql.ts'
import { fromSql, guards, scopeOf, type SqlContext } from './scope.ts'
import { all, sql, type Sql } from './sql.ts'

export async function readCount(
  runner: QueryRunner,
  access: Access,
  where: Predicate,
  run: Run & { readonly bound?: number } = {},
): Promise<Count> {
  const { bound } = run
  const { rows } = await runner.read(
    {
      ...queryScope(runner.catalogue, access, where),
      select: { of: 'count', access, where, bound },
      cells: [],
      need: { of: 'scan' },
      isLong: true,
    },
    run,
  )
  const count = Number(rows[0]?.[0])
  return bound !== undefined && count > bound
    ? { kind: 'atLeast', count: bound }
    : { kind: 'exact', count }
}

/** The rows to count, and up to which bound. */
export type Counted = {
  readonly access: Access
  readonly where: Predicate
  readonly bound: number | undefined
}

export function countSql(context: SqlContext, { access, where, bound }: Counted): Sql {
  const scope = scopeOf(context, access)
  const demands = conditions(scope, where)
  // Without conditions SQLite counts whole index pages, much faster than row by row with a guard.
  if (demands.length === 0 && bound === undefined)
    return sql`select count(*) from ${fromSql(scope)}`
  const most = bound === undefined ? sql`` : sql` ${context.dialect.limit(bound + 1)}`
  const matching = sql`${fromSql(scope)} where ${all([...guards(scope), ...demands])}${most}`
  return sql`select count(*) from (select 1 as one from ${matching}) as counted`
}
