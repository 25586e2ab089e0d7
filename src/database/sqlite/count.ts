/** Counts the rows of a SQLite table. */

import type { Access } from '../../table/access.ts'
import type { Predicate } from '../../table/predicate.ts'
import type { Count, Run } from '../../table/row-source.ts'
import { all, bind, render, sql, type Sql } from '../sql.ts'
import { sqliteDialect } from './dialect.ts'
import type { Sources } from './reader.ts'
import { conditions } from './predicate-sql.ts'
import { reachOf, type Question } from './question.ts'
import { fromSql, guards, scopeOf, type Workbench } from './scope.ts'

export async function readCount(
  { file, reader }: Sources,
  access: Access,
  where: Predicate,
  run: Run & { readonly bound?: number } = {},
): Promise<Count> {
  const { catalogue } = file
  const { bound } = run
  const make = (isGuarded: boolean) => [
    render(countSql({ catalogue, isGuarded }, access, where, bound), sqliteDialect),
  ]
  const question: Question = {
    ...reachOf(catalogue, access, where),
    statements: make(false),
    guarded: () => make(true),
    limit: null,
    isServed: () => false,
    isLong: true,
  }
  const { rows } = await reader.read(question, run)
  const count = Number(rows[0]?.[0])
  return bound !== undefined && count > bound
    ? { kind: 'atLeast', count: bound }
    : { kind: 'exact', count }
}

function countSql(bench: Workbench, access: Access, where: Predicate, bound?: number): Sql {
  const scope = scopeOf(bench, access)
  const demands = conditions(scope, where)
  // Without conditions SQLite counts pages of an index, much faster than any guarded row by row.
  if (demands.length === 0 && bound === undefined)
    return sql`select count(*) from ${fromSql(scope)}`
  const most = bound === undefined ? sql`` : sql` limit ${bind(bound + 1)}`
  const guarded = all([...guards(scope), ...demands])
  return sql`select count(*) from (select 1 from ${fromSql(scope)} where ${guarded}${most})`
}
