/** What every session is told once, so that values arrive exact and nothing runs for ever. */

import { bind, sql, type Sql } from '../query/sql.ts'

export type SessionSettings = {
  /** Longest time of a statement, ms. */
  readonly timeoutMs: number
  /** Whether the planner may walk along an index; see `search.ts`. */
  readonly walksIndexes: boolean
}

/** How long a statement waits for a lock, as a part of its longest time. */
const LOCK_PART = 0.6
/** A transaction that was left open gives its locks back, ms. */
const IDLE_IN_TRANSACTION_MS = 10_000

const settingsOf = ({ timeoutMs, walksIndexes }: SessionSettings): Record<string, string> => ({
  statement_timeout: String(timeoutMs),
  lock_timeout: String(Math.ceil(timeoutMs * LOCK_PART)),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '3',
  standard_conforming_strings: 'on',
  // Runs of a page are read one after the other, and no further than rows are wanted.
  enable_parallel_append: 'off',
  // Rows of a table without a key come in the same order every time.
  synchronize_seqscans: 'off',
  // Few rows are wanted, wherever they lie. At the price that the server has by default, the planner
  // would rather walk along the key, past all that does not match.
  random_page_cost: '1.1',
  // Compiling takes longer than most queries of ours.
  jit: 'off',
  ...(!walksIndexes && { enable_indexscan: 'off', enable_indexonlyscan: 'off' }),
})

/** Sets what the server knows of them, and gives the number that a query is cancelled by. */
export function setUpSql(settings: SessionSettings): Sql {
  const wanted = bind(JSON.stringify(settingsOf(settings)))
  return sql`select pg_backend_pid(), current_setting('server_version_num')::int,
    (select count(set_config(known.name, wanted.value, false))
      from json_each_text(${wanted}::json) as wanted(name, value)
      join pg_settings as known on lower(known.name) = wanted.name)`
}
