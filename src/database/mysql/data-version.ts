/** Whether others may have changed rows: by the server's record of that, else by the clock. */

import * as v from 'valibot'
import { bind, sql, type Sql } from '../query/sql.ts'
import type { Flavour } from './flavour.ts'
import type { Server } from './server.ts'

/** How long nothing is said to have changed where nobody can tell, ms. */
const UNKNOWN_MS = 5000
/** More tables than this are not asked about each time. */
const MANY_TABLES = 200

const whole = v.nullable(v.union([v.number(), v.bigint(), v.string()]))
const rowSchema = v.tuple([v.tuple([whole, whole])])

/**
 * A server forgets when a table was changed once the table leaves its cache. As long as all that it
 * ever opened still fit in there, it has forgotten nothing since it was started.
 */
const memory = sql`
  select max(case variable_name when 'UPTIME' then unix_timestamp() - variable_value end),
    max(variable_name = 'OPENED_TABLE_DEFINITIONS' and variable_value <= @@table_definition_cache)
  from information_schema.global_status
  where variable_name in ('UPTIME', 'OPENED_TABLE_DEFINITIONS')`

/**
 * Changes are recorded to the second, so the last two are not believed; nor are engines that record
 * none, nor views, which may look at other databases.
 */
const record = (database: string): Sql => sql`
  select concat_ws('.', count(*), sum(crc32(concat_ws('|', table_name, create_time, update_time)))),
    coalesce(min(engine <=> 'InnoDB'), 1)
      and coalesce(max(update_time) < now() - interval 2 second, 1)
  from information_schema.tables where table_schema = ${bind(database)}`

/** Whether a version comes from the server's own records; any other one may miss a change for a while. */
export const isRecorded = (version: string): boolean => !version.startsWith('.')

export class DataVersion {
  readonly #server: Server
  readonly #now: () => number

  constructor(server: Server, now: () => number) {
    this.#server = server
    this.#now = now
  }

  /** Says “changed” every five seconds. */
  recent(): string {
    return `.${Math.floor(this.#now() / UNKNOWN_MS)}`
  }

  /** Says “changed” whenever anybody may have changed something; within five seconds at the latest. */
  async read({ isMariaDb }: Flavour, tables: number): Promise<string> {
    // MySQL answers out of statistics that may be a day old.
    if (!isMariaDb || tables > MANY_TABLES) return this.recent()
    const [started, isWhole] = await this.#ask(memory)
    if (!isWhole) return this.recent()
    const [recorded, isBelieved] = await this.#ask(record(this.#server.where.database))
    return isBelieved ? `${String(started)}.${String(recorded)}` : this.recent()
  }

  async #ask(fragment: Sql): Promise<readonly [unknown, boolean]> {
    const [[told, isTrue]] = v.parse(rowSchema, await this.#server.ask('rows', fragment))
    return [told, Number(isTrue) === 1]
  }
}
