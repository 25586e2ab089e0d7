/** Detects whether other programs may have changed rows: from the server's update times, else by the clock. */

import * as v from 'valibot'
import { bind, sql, type Sql } from '../query/sql.ts'
import { coalesce } from '../source/coalesce.ts'
import type { WrittenTables } from '../../table/source/write-log.ts'
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

/** The same of each table, and whether it counts. */
const timesByTable = (database: string): Sql => sql`
  select table_name, concat_ws('|', create_time, update_time),
    coalesce(update_time < now() - interval 2 second, 1), engine <=> 'InnoDB'
  from information_schema.tables
  where table_schema = ${bind(database)} and table_name not like 'tablewire\\_%'`

const truth = v.union([v.number(), v.bigint(), v.string()])
const timesSchema = v.array(v.tuple([v.string(), v.string(), truth, truth]))

/** When each table was last written; of those that were within two seconds, another one every five. */
type TableTimes = {
  /** Times of another start of the server say nothing. */
  readonly of: string
  readonly byTable: ReadonlyMap<string, string>
}

const differing = (before: TableTimes['byTable'], now: TableTimes['byTable']): readonly string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter(
    (table) => before.get(table) !== now.get(table),
  )

/** Whether a version comes from the server's own records; any other one may miss a change for a while. */
export const isRecorded = (version: string): boolean => !version.startsWith('.')

type Kind = Pick<Flavour, 'isMariaDb'>

export class DataVersion {
  readonly #server: Pick<Server, 'ask' | 'info'>
  readonly #now: () => number
  /** Every request asks, so those that come together share a look. */
  readonly #recorded = coalesce(() => this.#look())

  constructor(server: Pick<Server, 'ask' | 'info'>, now: () => number) {
    this.#server = server
    this.#now = now
  }

  /** Changes every five seconds. */
  recent(): string {
    return `.${Math.floor(this.#now() / UNKNOWN_MS)}`
  }

  /** Changes whenever somebody may have changed something, at the latest after five seconds. */
  async read({ isMariaDb }: Kind, tables: number): Promise<string> {
    // MySQL's update times come from statistics that may be a day old.
    if (!isMariaDb || tables > MANY_TABLES) return this.recent()
    return (await this.#recorded()) ?? this.recent()
  }

  /** Returns what tells which tables were written since it was asked before; of the last seconds, it tells twice. */
  watch(): (kind: Kind, tables: number) => Promise<WrittenTables> {
    let last: TableTimes | undefined
    return async ({ isMariaDb }, tables) => {
      const isTold = isMariaDb && tables <= MANY_TABLES
      const now = (isTold && (await this.#times())) || { of: this.recent(), byTable: new Map() }
      const before = last
      last = now
      return before?.of === now.of ? differing(before.byTable, now.byTable) : 'any'
    }
  }

  /** `undefined` where they may miss a change for more than a moment. */
  async #times(): Promise<TableTimes | undefined> {
    const [started, isWhole] = await this.#ask(uptime)
    if (!isWhole) return undefined
    const { database } = this.#server.info
    const rows = v.parse(timesSchema, await this.#server.ask('rows', timesByTable(database)))
    if (rows.some(([, , , isInnoDb]) => Number(isInnoDb) === 0)) return undefined
    const recent = this.recent()
    const times = rows.map(([table, time, isSettled]): [string, string] => [
      table,
      Number(isSettled) === 1 ? time : `${time}${recent}`,
    ])
    return { of: String(started), byTable: new Map(times) }
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
