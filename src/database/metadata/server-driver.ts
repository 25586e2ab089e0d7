/** Runs Kysely's statements on the pooled connections of a database server. */

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  type TransactionSettings,
} from 'kysely'
import type { AppError } from '../../server/app-error.ts'
import type { Value } from '../../table/source/value.ts'
import type { PoolOptions } from '../source/pool-options.ts'
import { Pool } from '../source/pool.ts'

/** Connections of a node: a page needs one for less than a millisecond. */
const CONNECTIONS = 4
/** Most requests that may wait for one. */
const QUEUE = 1000
/** Time limit of a statement, of a transaction, and of waiting for a connection, ms; by default. */
export const TIMEOUT_MS = 10_000
/** The server has a time limit itself; this long after it, the connection is closed, ms. */
const GRACE_MS = 1000
/** How often a statement is run again where others are in its way. */
const ATTEMPTS = 10

/** How an engine's connections are used. */
export type Connections<Connection> = Pick<
  PoolOptions<Connection>,
  'connect' | 'close' | 'isUsable' | 'isLost' | 'isRefused' | 'hold'
> & {
  readonly timeoutMs: number
  run<R>(connection: Connection, query: CompiledQuery): Promise<QueryResult<R>>
  begin(connection: Connection, settings: TransactionSettings): Promise<unknown>
  command(connection: Connection, command: 'commit' | 'rollback'): Promise<unknown>
  /** Whether the connection was lost, so that another one may answer. */
  isGone(error: unknown): boolean
  /** Whether another transaction was in the way, and nothing was written. */
  isRolledBack(error: unknown): boolean
  toAppError(error: unknown): AppError
}

export class ServerDriver<Connection extends object> implements Driver {
  readonly #connections: Connections<Connection>
  readonly #pool: Pool<Connection>
  readonly #rolledBack = new WeakSet<Error>()

  constructor(connections: Connections<Connection>) {
    this.#connections = connections
    this.#pool = new Pool({
      ...connections,
      size: CONNECTIONS,
      queue: QUEUE,
      // A connection whose statement takes too long is closed.
      cancel: async () => false,
    })
  }

  /** Whether this ended a transaction that may succeed when it is run again. */
  isRolledBack(error: unknown): boolean {
    return error instanceof Error && this.#rolledBack.has(error)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn<Connection>> {
    return new Turn(this.#pool, this.#connections, (error) => this.#failed(error))
  }

  beginTransaction(turn: Turn<Connection>, settings: TransactionSettings): Promise<void> {
    return turn.begin(settings)
  }

  commitTransaction(turn: Turn<Connection>): Promise<void> {
    return turn.end('commit')
  }

  rollbackTransaction(turn: Turn<Connection>): Promise<void> {
    return turn.end('rollback')
  }

  async releaseConnection(): Promise<void> {}

  destroy(): Promise<void> {
    return this.#pool.close()
  }

  #failed(error: unknown): AppError {
    const told = this.#connections.toAppError(error)
    if (this.#connections.isRolledBack(error)) this.#rolledBack.add(told)
    return told
  }
}

/** Takes a connection for each statement, and keeps it for a transaction. */
class Turn<Connection extends object> implements DatabaseConnection {
  readonly #pool: Pool<Connection>
  readonly #connections: Connections<Connection>
  readonly #failed: (error: unknown) => AppError
  #held: { readonly connection: Connection; release(): Promise<void> } | undefined

  constructor(
    pool: Pool<Connection>,
    connections: Connections<Connection>,
    failed: (error: unknown) => AppError,
  ) {
    this.#pool = pool
    this.#connections = connections
    this.#failed = failed
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return this.#held
        ? await this.#connections.run<R>(this.#held.connection, query)
        : await this.#alone<R>(query)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  streamQuery(): never {
    throw new TypeError('These tables are read whole.')
  }

  async begin(settings: TransactionSettings): Promise<void> {
    const begun = Promise.withResolvers<Connection>()
    const ended = Promise.withResolvers<void>()
    const use = this.#use(async (connection) => {
      await this.#connections.begin(connection, settings)
      begun.resolve(connection)
      await ended.promise
    })
    // If it fails later, such as at its time limit, the next statement on the connection fails too.
    use.catch((error: unknown) => begun.reject(this.#failed(error)))
    this.#held = {
      connection: await begun.promise,
      release() {
        ended.resolve()
        return use.catch(() => undefined)
      },
    }
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    const held = this.#held
    if (!held) return
    try {
      await this.#connections.command(held.connection, command)
    } catch (error) {
      throw this.#failed(error)
    } finally {
      this.#held = undefined
      await held.release()
    }
  }

  async #alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#use((connection) => this.#connections.run<R>(connection, query))
      } catch (error) {
        if (attempt === ATTEMPTS || !this.#mayRepeat(error, query, attempt)) throw error
      }
  }

  #mayRepeat(error: unknown, { query }: CompiledQuery, attempt: number): boolean {
    if (this.#connections.isRolledBack(error)) return true
    return attempt === 1 && SelectQueryNode.is(query) && this.#connections.isGone(error)
  }

  #use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#pool.use(work, { timeoutMs: this.#connections.timeoutMs, graceMs: GRACE_MS })
  }
}

/** The driver's rows, which are arrays, as objects by the names of their columns. */
export function objectsOf<R>(
  rows: readonly (readonly Value[])[],
  fields: readonly { readonly name: string }[],
): R[] {
  const objects = rows.map((row) =>
    Object.fromEntries(fields.map(({ name }, i) => [name, row[i] ?? null])),
  )
  if (isOf<R>(objects)) return objects
  throw new TypeError('These are no rows.')
}

/** Kysely's builder knows the type of the rows that its statement returns. */
const isOf = <R>(rows: unknown): rows is R[] => Array.isArray(rows)

/** What Kysely binds: it says nothing of its type. */
export function bindsOf(parameters: readonly unknown[]): readonly Value[] {
  if (parameters.every(isValue)) return parameters
  throw new TypeError('These tables hold texts, numbers and bytes only.')
}

const isValue = (value: unknown): value is Value =>
  value === null ||
  value instanceof Uint8Array ||
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
