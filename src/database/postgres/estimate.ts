/** The planner's estimate of a count that takes too long. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Count } from '../../table/source/row-source.ts'
import { conditions } from '../query/predicate-sql.ts'
import { fromSql, scopeOf } from '../query/scope.ts'
import { all, render, sql } from '../query/sql.ts'
import type { PostgresDatabase } from './database.ts'
import { dialectOf } from './dialect.ts'
import { explaining, planOf, rowsOf } from './plan.ts'
import type { PostgresCatalogue } from './tables.ts'

/** `undefined` if the server explains nothing, or in a form of its own. */
export async function estimateCount(
  database: PostgresDatabase,
  catalogue: PostgresCatalogue,
  access: Access,
  where: Predicate,
): Promise<Count | undefined> {
  const dialect = dialectOf(catalogue)
  const scope = scopeOf({ catalogue, dialect }, access)
  const matching = sql`select 1 from ${fromSql(scope)} where ${all(conditions(scope, where))}`
  try {
    const explained = explaining(render(matching, dialect))
    const rows = await database.read('counts', explained, { isRare: true })
    return { kind: 'estimate', count: rowsOf(planOf(rows)) }
  } catch {
    return undefined
  }
}
