/** One connection to the server: configured once, then used for prepared statements. */

import { connect as openSocket, type Socket } from 'node:net'
import type {
  Connection as Client,
  ConnectionOptions as ClientOptions,
  SslOptions,
  TypedParameter,
} from 'mysql2'
import * as v from 'valibot'
import type { Value } from '../../table/source/value.ts'
import { join, render, sql, type Sql } from '../query/sql.ts'
import type { Address, Tls } from './address.ts'
import { decodeRows, toParam } from './cells.ts'
import { notation } from './notation.ts'
import { failureOf, isLost, isUnsettable, NO_GREETING, tooLarge } from './failure.ts'
import { flavourOf, type Flavour } from './flavour.ts'

export type ConnectionOptions = {
  readonly readOnly: boolean
  /** Time limit for connecting, ms. */
  readonly connectMs: number
  /** Default time limit of a statement, ms. */
  readonly timeoutMs: number
}

/** The result of a statement that returns no rows. */
export type Done = {
  /** Rows that matched, whether or not they changed. */
  readonly matched: number
  /** Those of them that changed. */
  readonly changed: number
  /** The first generated key, else 0. */
  readonly insertId: number | bigint
}

export type Command =
  | 'start transaction'
  | 'set transaction isolation level serializable'
  | 'commit'
  | 'rollback'
  | 'savepoint part'
  | 'rollback to savepoint part'
  | 'set session transaction read only'
  | OptionalSetting

/**
 * Settings that some servers lack or do not let users change. The server sorts texts as equal if their
 * first `max_sort_length` bytes are; the anchors of pages are shorter. An abandoned transaction ends by
 * itself.
 */
const OPTIONAL_SETTINGS = [
  'set session max_sort_length = 8192',
  'set session idle_transaction_timeout = 10',
] as const

type OptionalSetting = (typeof OPTIONAL_SETTINGS)[number]

/** Most prepared statements of a connection. */
const STATEMENTS = 200

export class Connection {
  readonly flavour: Flavour
  /** The server's id of this connection. */
  readonly id: number
  readonly #raw: RawConnection
  #limitMs = NaN
  #isLost = false

  private constructor(raw: RawConnection, flavour: Flavour) {
    this.#raw = raw
    this.flavour = flavour
    this.id = raw.client.threadId
    raw.socket.on('close', () => (this.#isLost = true))
  }

  /** Connects, signs in and configures the connection. Throws what the driver throws. */
  static async open(address: Address, options: ConnectionOptions): Promise<Connection> {
    const raw = await connect(address, options)
    // Otherwise a server that stops answering would be waited for without end.
    const timer = setTimeout(() => raw.socket.destroy(), options.connectMs)
    try {
      const { rows } = await execute(raw, 'select version(), @@max_allowed_packet', [])
      const [[version, most]] = v.parse(greetingSchema, rows)
      raw.most = most
      const connection = new Connection(raw, flavourOf(version))
      await connection.#setUp(options)
      return connection
    } catch (error) {
      raw.socket.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whether the connection was lost. */
  get isLost(): boolean {
    return this.#isLost
  }

  execute(text: string, binds: readonly Value[]): Promise<Result> {
    return execute(this.#raw, text, binds)
  }

  async rows(text: string, binds: readonly Value[]): Promise<Value[][]> {
    return (await this.execute(text, binds)).rows
  }

  async read(fragment: Sql): Promise<Value[][]> {
    const { text, binds } = render(fragment, notation)
    return this.rows(text, binds)
  }

  /** Runs a statement that returns no rows. */
  async run(fragment: Sql): Promise<Done> {
    const { text, binds } = render(fragment, notation)
    return (await this.execute(text, binds)).done
  }

  /** Runs a fixed command, without preparing it. */
  command(sentence: Command): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#raw.client.query(sentence, (error) => (error ? reject(error) : resolve()))
    return promise
  }

  /** Sets the time limit of later statements, ms. */
  async limit(ms: number): Promise<void> {
    if (ms === this.#limitMs) return
    await this.run(sql`set session ${this.flavour.timeLimit(ms)}`)
    this.#limitMs = ms
  }

  /** Whether the connection keeps the process running. */
  hold(isBusy: boolean): void {
    if (isBusy) this.#raw.socket.ref()
    else this.#raw.socket.unref()
  }

  /** Closes the connection at once: whatever runs on it fails. */
  destroy(): void {
    this.#isLost = true
    this.#raw.socket.destroy()
  }

  async #setUp({ readOnly, timeoutMs }: ConnectionOptions): Promise<void> {
    const settings = [...SETTINGS, this.flavour.timeLimit(timeoutMs)]
    await this.run(sql`set session ${join(settings, ', session ')}`)
    this.#limitMs = timeoutMs
    for (const setting of OPTIONAL_SETTINGS)
      await this.command(setting).catch((error: unknown) => {
        if (!isUnsettable(failureOf(error))) throw error
      })
    if (readOnly) await this.command('set session transaction read only')
  }
}

/** The driver's connection and its socket. */
type RawConnection = {
  readonly client: Client
  readonly socket: Socket
  readonly types: TypedParameter
  /** Most bytes of a statement with its values, once the server has told. */
  most?: number
}

export type Result = {
  readonly rows: Value[][]
  readonly done: Done
  readonly fields: readonly { readonly name: string }[]
}

function execute(
  { client, types, most = Infinity }: RawConnection,
  text: string,
  binds: readonly Value[],
): Promise<Result> {
  // The server would break the line, and nobody would know what has become of the statement.
  if (sizeOf(text, binds) > most) return Promise.reject(tooLarge(most))
  const values = binds.map((value) => toParam(types, value))
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  client.execute({ sql: text, values, rowsAsArray: true }, (error, result, fields) => {
    if (error) reject(error)
    else if (Array.isArray(result)) {
      // With `rowsAsArray`, each row is an array.
      const rows = result as unknown[][]
      resolve({ rows: decodeRows(rows, fields), done: NOTHING_DONE, fields })
    } else resolve({ rows: [], done: doneOf(v.parse(headerSchema, result)), fields: [] })
  })
  return promise
}

/** Bytes that are sent, roughly: of short values it does not matter. */
const sizeOf = (text: string, binds: readonly Value[]): number =>
  binds.reduce((sum: number, value) => sum + HEAD_BYTES + bytesOf(value), text.length)

/** What a value takes besides its bytes, at most. */
const HEAD_BYTES = 16

function bytesOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.byteLength : 0
}

const greetingSchema = v.tuple([v.tuple([v.string(), v.number()])])

const headerSchema = v.object({
  affectedRows: v.number(),
  changedRows: v.optional(v.number()),
  info: v.string(),
  insertId: v.union([v.number(), v.string()]),
})

const NOTHING_DONE: Done = { matched: 0, changed: 0, insertId: 0 }

const doneOf = ({
  affectedRows,
  changedRows,
  info,
  insertId,
}: v.InferOutput<typeof headerSchema>): Done => ({
  matched: affectedRows,
  // Only updates report rows that did not need to change.
  changed: info.includes('Changed:') ? (changedRows ?? affectedRows) : affectedRows,
  insertId: typeof insertId === 'string' ? BigInt(insertId) : insertId,
})

/**
 * Settings that replace the server's defaults. Times are in UTC; nothing is truncated or converted
 * silently; `""` quotes texts, as usual in MySQL; waiting for a lock has a short limit. No statement of
 * ours has a backslash in quotes, so it does not matter whether backslashes escape.
 */
const SETTINGS: readonly Sql[] = [
  sql`character_set_client = utf8mb4`,
  sql`character_set_results = utf8mb4`,
  sql`collation_connection = utf8mb4_bin`,
  sql`time_zone = '+00:00'`,
  sql`sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`,
  sql`lock_wait_timeout = 5`,
  sql`innodb_lock_wait_timeout = 5`,
  sql`foreign_key_checks = 1`,
  sql`unique_checks = 1`,
  sql`sql_safe_updates = 0`,
  sql`sql_auto_is_null = 0`,
  sql`autocommit = 1`,
]

/** If TLS is only preferred, falls back to an unencrypted connection. */
async function connect(address: Address, options: ConnectionOptions): Promise<RawConnection> {
  try {
    return await connectBy(address.tls, address, options)
  } catch (error) {
    if (address.tls !== 'prefer' || failureOf(error).code !== NO_TLS) throw error
    return connectBy('off', address, options)
  }
}

const NO_TLS = 'HANDSHAKE_NO_SSL_SUPPORT'

async function connectBy(
  tls: Tls,
  address: Address,
  options: ConnectionOptions,
): Promise<RawConnection> {
  const driver = (await import('mysql2')).default
  const socket = openSocketTo(address)
  const client = driver.createConnection({
    ...driverOptions(address, options, tls),
    stream: () => socket,
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // The driver also emits lost connections here; without a listener that would end the process.
  client.on('error', reject)
  client.connect((error) => (error ? reject(error) : resolve()))
  try {
    await promise
  } catch (error) {
    socket.destroy()
    // A peer that never sent a greeting may not be a database server.
    if (isLost(failureOf(error)))
      throw Object.assign(new Error('No greeting'), { code: NO_GREETING })
    throw error
  }
  return { client, socket, types: driver.TypedParameter }
}

function openSocketTo({ host, port, socket: path }: Address): Socket {
  const socket = path === undefined ? openSocket(port, host) : openSocket(path)
  return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
}

/** TCP keep-alive interval, ms. */
const KEEP_ALIVE_MS = 30_000

function driverOptions(
  address: Address,
  { connectMs }: ConnectionOptions,
  tls: Tls,
): ClientOptions {
  const { host, port, socket, user, password, database } = address
  return {
    ...(socket === undefined ? { host, port } : { socketPath: socket }),
    user,
    password,
    database,
    connectTimeout: connectMs,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
    multipleStatements: false,
    // Count matched rows, changed or not; never send a local file.
    flags: ['FOUND_ROWS', '-LOCAL_FILES'],
    maxPreparedStatements: STATEMENTS,
    disableEval: true,
    trace: false,
    ...(tls !== 'off' && { ssl: sslOptions(address, tls) }),
  }
}

const SSL = new WeakMap<Address, SslOptions>()

/** Returns the same object each time, by which the driver recognizes that it can resume a TLS session. */
function sslOptions(address: Address, tls: Tls): SslOptions {
  const known = SSL.get(address)
  if (known) return known
  const options = {
    rejectUnauthorized: tls === 'trusted' || tls === 'verified',
    verifyIdentity: tls === 'verified',
    ...(address.ca !== undefined && { ca: address.ca }),
  }
  SSL.set(address, options)
  return options
}
