/** How many rows the planner expects to read, and how many of them to match. */

import * as v from 'valibot'
import type { Access } from '../../table/source/access.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Count, Run } from '../../table/source/row-source.ts'
import { conditions, plainColumns } from '../query/predicate-sql.ts'
import { fromSql, scopeOf } from '../query/scope.ts'
import { all, render, sql, type Statement } from '../query/sql.ts'
import { mysqlDialect } from './dialect.ts'
import { isTimeout } from '../failure.ts'
import type { Flavour } from './flavour.ts'
import { notation } from './notation.ts'
import type { ConnectionClass, Server } from './server.ts'
import type { MysqlCatalogue } from './tables.ts'

type Expected = { readonly rows: number; readonly matching: number }

/** `undefined` if the server explains nothing, or not this, as for a view. */
export async function expectedRows(
  server: Server,
  by: ConnectionClass,
  { text, binds }: Statement,
  { explain: { word, places } }: Flavour,
  run?: Run,
): Promise<Expected | undefined> {
  const explained = { text: `${render(word, notation).text} ${text}`, binds }
  const plan = await server.read(by, explained, run).catch((error: unknown) => {
    if (run?.signal?.aborted || isTimeout(error)) throw error
    return []
  })
  const step = plan.find((one) => one[places.table] === 't0')
  const found = v.safeParse(stepSchema, [step?.[places.rows], step?.[places.filtered]])
  if (!found.success) return undefined
  const [rows, percentage] = found.output
  return { rows, matching: Math.round((rows * percentage) / 100) }
}

const amount = v.pipe(v.union([v.number(), v.bigint(), v.string()]), v.transform(Number))
const stepSchema = v.tuple([amount, amount])

/** The planner's estimate, which is useful only if an index could serve the conditions. */
export async function estimatedCount(
  server: Server,
  catalogue: MysqlCatalogue,
  access: Access,
  where: Predicate,
): Promise<Count | undefined> {
  if (!access.seesAllRows || plainColumns(where) === undefined) return undefined
  const scope = scopeOf({ catalogue, dialect: mysqlDialect }, access)
  const matching = sql`select 1 from ${fromSql(scope)} where ${all(conditions(scope, where))}`
  const statement = render(matching, notation)
  const expected = await expectedRows(server, 'counts', statement, catalogue.flavour)
  return expected && { kind: 'estimate', count: expected.matching }
}
