/** Detects whether other programs may have changed rows: from the server's update times, else by the clock. */

import * as v from 'valibot'
import { bind, sql, type Sql } from '../query/sql.ts'
import { coalesce } from '../source/coalesce.ts'
import type { Flavour } from './flavour.ts'
import type { Server } from './server.ts'

/** How long the version stays the same if the server cannot tell, ms. */
const UNKNOWN_MS = 5000
/** Beyond this many tables, reading their update times is too slow. */
const MANY_TABLES = 200

const whole = v.nullable(v.union([v.number(), v.bigint(), v.string()]))
const rowSchema = v.tuple([v.tuple([whole, whole])])

/**
 * A server forgets a table's update time when the table leaves its cache. If all tables it ever opened
 * fit into the cache, it has forgotten nothing since its start.
 */
const uptime = sql`
  select max(case variable_name when 'UPTIME' then unix_timestamp() - variable_value end),
    max(variable_name = 'OPENED_TABLE_DEFINITIONS' and variable_value <= @@table_definition_cache)
  from information_schema.global_status
  where variable_name in ('UPTIME', 'OPENED_TABLE_DEFINITIONS')`

/**
 * Update times have a resolution of a second, so those of the last two seconds do not count. Neither do
 * engines that record none, nor views, which may read other databases. Tablewire's own tables are not data.
 */
const updateTimes = (database: string): Sql => sql`
  select concat_ws('.', count(*), sum(crc32(concat_ws('|', table_name, create_time, update_time)))),
    coalesce(min(engine <=> 'InnoDB'), 1)
      and coalesce(max(update_time) < now() - interval 2 second, 1)
  from information_schema.tables
  where table_schema = ${bind(database)} and table_name not like 'tablewire\\_%'`

/** Whether a version comes from the server's own records; any other one may miss a change for a while. */
export const isRecorded = (version: string): boolean => !version.startsWith('.')

export class DataVersion {
  readonly #server: Server
  readonly #now: () => number
  /** Every request asks, so those that come together share a look. */
  readonly #recorded = coalesce(() => this.#look())

  constructor(server: Server, now: () => number) {
    this.#server = server
    this.#now = now
  }

  /** Changes every five seconds. */
  recent(): string {
    return `.${Math.floor(this.#now() / UNKNOWN_MS)}`
  }

  /** Changes whenever somebody may have changed something, at the latest after five seconds. */
  async read({ isMariaDb }: Flavour, tables: number): Promise<string> {
    // MySQL's update times come from statistics that may be a day old.
    if (!isMariaDb || tables > MANY_TABLES) return this.recent()
    return (await this.#recorded()) ?? this.recent()
  }

  /** The server's own records; `undefined` where they may miss a change. */
  async #look(): Promise<string | undefined> {
    const [started, isWhole] = await this.#ask(uptime)
    if (!isWhole) return undefined
    const [updated, isReliable] = await this.#ask(updateTimes(this.#server.info.database))
    return isReliable ? `${String(started)}.${String(updated)}` : undefined
  }

  async #ask(fragment: Sql): Promise<readonly [unknown, boolean]> {
    const [[value, isTrue]] = v.parse(rowSchema, await this.#server.ask('rows', fragment))
    return [value, Number(isTrue) === 1]
  }
}
