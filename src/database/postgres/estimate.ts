/** How many rows the planner expects, where counting them takes too long. */

import type { Access } from '../../table/access.ts'
import type { Predicate } from '../../table/predicate.ts'
import type { Count } from '../../table/row-source.ts'
import type { Engine } from '../engine.ts'
import { conditions } from '../predicate-sql.ts'
import { fromSql, scopeOf } from '../scope.ts'
import { all, render, sql } from '../sql.ts'
import type { PostgresDatabase } from './database.ts'
import { explaining, planOf, rowsOf } from './plan.ts'

/** `undefined` where the server explains nothing, or in a form of its own. */
export async function estimateCount(
  database: PostgresDatabase,
  engine: Engine,
  access: Access,
  where: Predicate,
): Promise<Count | undefined> {
  const scope = scopeOf(engine, access)
  const matching = sql`select 1 from ${fromSql(scope)} where ${all(conditions(scope, where))}`
  try {
    const explained = explaining(render(matching, engine.dialect))
    const rows = await database.read('counts', explained, { isRare: true })
    return { kind: 'estimate', count: rowsOf(planOf(rows)) }
  } catch {
    return undefined
  }
}
