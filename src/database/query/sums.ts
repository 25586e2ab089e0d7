/** Adds up columns of numbers. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { ColumnSum, Run } from '../../table/source/row-source.ts'
import type { QueryRunner } from '../query-runner.ts'
import { conditions } from './predicate-sql.ts'
import { scanQuestion } from './question.ts'
import { fromSql, guards, operand, readableColumn, scopeOf, type SqlContext } from './scope.ts'
import { all, join, sql, type Sql } from './sql.ts'

/** The columns to add up, and the rows. */
export type SumSelect = {
  readonly access: Access
  readonly where: Predicate
  readonly columns: readonly string[]
}

export async function readSums(
  runner: QueryRunner,
  access: Access,
  where: Predicate,
  columns: readonly string[],
  run?: Run,
): Promise<ColumnSum[]> {
  if (columns.length === 0) return []
  const { rows } = await runner.read(
    scanQuestion(runner, { of: 'sums', access, where, columns }),
    run,
  )
  return columns.map((_, at) => {
    const [sum, count] = [rows[0]?.[2 * at] ?? null, rows[0]?.[2 * at + 1]]
    return { sum: sum === null ? null : String(sum), count: Number(count) }
  })
}

/** Sums are read as text: they may have more digits than any number of JavaScript. */
export function sumsSql(context: SqlContext, { access, where, columns }: SumSelect): Sql {
  const scope = scopeOf(context, access)
  const list = columns.flatMap((wanted) => {
    const value = operand(scope, readableColumn(scope, wanted))
    const sum = context.dialect.text({ ...value, sql: sql`sum(${value.sql})` })
    return [sum, sql`count(${value.sql})`]
  })
  const demands = [...guards(scope), ...conditions(scope, where)]
  const rows = demands.length === 0 ? sql`` : sql` where ${all(demands)}`
  return sql`select ${join(list)} from ${fromSql(scope)}${rows}`
}
