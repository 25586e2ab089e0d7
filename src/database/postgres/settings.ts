/** The settings of every connection: exact values and time limits. */

import { bind, sql, type Sql } from '../query/sql.ts'

export type ConnectionSettings = {
  /** Time limit of a statement, ms. */
  readonly timeoutMs: number
  /** Whether the planner may walk an index; false for the scan of `walkOrScan`. */
  readonly walksIndexes: boolean
  /** Whether the server may run a statement in several processes at once; false for counts. */
  readonly isParallel: boolean
  /** Whether a statement may write without a transaction that says so. Default false. */
  readonly mayWrite?: boolean
}

/** How long a statement waits for a lock, as a fraction of its time limit. */
const LOCK_PART = 0.6
/** After this long an idle transaction is ended, ms. */
const IDLE_IN_TRANSACTION_MS = 10_000

const settingsOf = ({
  timeoutMs,
  walksIndexes,
  isParallel,
  mayWrite = false,
}: ConnectionSettings): Record<string, string> => ({
  statement_timeout: String(timeoutMs),
  lock_timeout: String(Math.ceil(timeoutMs * LOCK_PART)),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
  default_transaction_read_only: mayWrite ? 'off' : 'on',
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '3',
  standard_conforming_strings: 'on',
  // A page's runs are read one after the other, only until there are enough rows.
  enable_parallel_append: 'off',
  // Rows of a table without a key always come in the same order.
  synchronize_seqscans: 'off',
  // Pages need few rows, wherever they are stored. At the server's default cost, the planner would
  // rather walk the key's index past all rows that do not match.
  random_page_cost: '1.1',
  // Compiling takes longer than most of these queries.
  jit: 'off',
  ...(!walksIndexes && { enable_indexscan: 'off', enable_indexonlyscan: 'off' }),
  // A count would run in three processes by the server's default, and pages beside it would get less of
  // the processor. Nobody waits for a count as for a page.
  ...(!isParallel && { max_parallel_workers_per_gather: '0' }),
})

/** Applies the settings that the server knows, and returns the process id and version. */
export function setUpSql(settings: ConnectionSettings): Sql {
  const wanted = bind(JSON.stringify(settingsOf(settings)))
  return sql`select pg_backend_pid(), current_setting('server_version_num')::int,
    (select count(set_config(known.name, wanted.value, false))
      from json_each_text(${wanted}::json) as wanted(name, value)
      join pg_settings as known on lower(known.name) = wanted.name)`
}
