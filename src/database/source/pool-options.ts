/** What a connection pool is told: how connections are made and closed, and for whom work is done. */

/** How connections are made, cancelled and closed. */
export type PoolOptions<Connection> = {
  connect(): Promise<Connection>
  /** Closes a connection, whatever runs on it. */
  close(connection: Connection): Promise<void> | void
  isUsable(connection: Connection): boolean
  /**
   * Cancels `work`, which runs on this connection, and resolves once it has ended, with whether the
   * connection may be used again.
   */
  cancel(connection: Connection, work: Promise<unknown>): Promise<boolean>
  /** Whether the connection keeps the process running. */
  hold?(connection: Connection, isBusy: boolean): void
  /** Whether work failed because its connection was lost. */
  isLost?(error: unknown): boolean
  /** Whether the server refused a connection because it has too many. */
  isRefused?(error: unknown): boolean
  /** Most connections; each is opened when first needed. */
  readonly size: number
  /** Most requests of one person that may wait; a further one fails with `BUSY`. */
  readonly queue: number
  /**
   * Whether work changes nothing, so that it can be cancelled and begun again: if a person has several
   * connections while another has none, the newest of that work makes room. Default: false.
   */
  readonly isRepeatable?: boolean
  /** How long cancelled work may take to end before its connection is closed, ms. Default 2000. */
  readonly cancelMs?: number
  /** How long an idle connection is kept, ms. Default 60,000. */
  readonly idleMs?: number
  /** The errors to throw when the work, or waiting for a connection, exceeds its time limit. */
  readonly timedOut?: (ms: number) => Error
  readonly waitTimedOut?: (ms: number) => Error
  /** The error to throw when the pool is closed. */
  readonly closed?: () => Error
}

export type Use = {
  /** Whom the work is for. Default: the server itself, which goes first. */
  readonly person?: string | undefined
  /** Cancels the work; `use` then throws its reason. */
  readonly signal?: AbortSignal | undefined
  /** Time limit for waiting for a connection, and again for the work itself, ms. */
  readonly timeoutMs: number
  /** How much longer the pool waits before it cancels the work itself, ms. Default 0. */
  readonly graceMs?: number
  /** Never cancel the work once it has begun. */
  readonly runsToEnd?: boolean
}
