/** One session on the server: set up once, then nothing but prepared statements. */

import { connect as openSocket, type Socket } from 'node:net'
import type { Connection, ConnectionOptions, SslOptions, TypedParameter } from 'mysql2'
import * as v from 'valibot'
import type { Value } from '../../table/source/value.ts'
import { join, render, sql, type Sql } from '../query/sql.ts'
import type { Address, Tls } from './address.ts'
import { decodeRows, toParam } from './cells.ts'
import { notation } from './notation.ts'
import { failureOf, isLost, isUnsettable, NO_GREETING } from './failure.ts'
import { flavourOf, type Flavour } from './flavour.ts'

export type SessionOptions = {
  readonly readOnly: boolean
  /** Longest time for making a connection, ms. */
  readonly connectMs: number
  /** Longest time of a statement unless a call says otherwise, ms. */
  readonly timeoutMs: number
}

/** What a statement that gives no rows did. */
export type Done = {
  /** Rows that were found, whether or not they changed. */
  readonly matched: number
  /** Those of them that changed. */
  readonly changed: number
  /** The first key that the database counted up, else 0. */
  readonly insertId: number | bigint
}

export type Command =
  | 'start transaction'
  | 'commit'
  | 'rollback'
  | 'savepoint part'
  | 'rollback to savepoint part'
  | 'set session transaction read only'
  | Comfort

/**
 * What some servers do not have, or let nobody set. Texts that are alike in so many bytes, a few for
 * each letter, would be sorted as equal; what names a place in an order is shorter. A transaction that
 * was left in the middle ends by itself.
 */
const COMFORTS = [
  'set session max_sort_length = 8192',
  'set session idle_transaction_timeout = 10',
] as const

type Comfort = (typeof COMFORTS)[number]

/** Statements that the server keeps prepared for a session. */
const STATEMENTS = 200

export class Session {
  readonly flavour: Flavour
  /** The number by which the server knows this session. */
  readonly id: number
  readonly #wire: Wire
  #limitMs = NaN
  #isLost = false

  private constructor(wire: Wire, flavour: Flavour) {
    this.#wire = wire
    this.flavour = flavour
    this.id = wire.connection.threadId
    wire.socket.on('close', () => (this.#isLost = true))
  }

  /** Connects, signs in and sets the session up. Throws what the driver throws. */
  static async open(address: Address, options: SessionOptions): Promise<Session> {
    const wire = await connect(address, options)
    // A server that stops answering in the middle would be waited for without end.
    const timer = setTimeout(() => wire.socket.destroy(), options.connectMs)
    try {
      const { rows } = await execute(wire, 'select version()', [])
      const [[version]] = v.parse(versionSchema, rows)
      const session = new Session(wire, flavourOf(version))
      await session.#setUp(options)
      return session
    } catch (error) {
      wire.socket.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whether the connection has gone; the session is then of no use any more. */
  get isLost(): boolean {
    return this.#isLost
  }

  execute(text: string, binds: readonly Value[]): Promise<Result> {
    return execute(this.#wire, text, binds)
  }

  async rows(text: string, binds: readonly Value[]): Promise<Value[][]> {
    return (await this.execute(text, binds)).rows
  }

  async read(fragment: Sql): Promise<Value[][]> {
    const { text, binds } = render(fragment, notation)
    return this.rows(text, binds)
  }

  /** Runs what gives no rows. */
  async run(fragment: Sql): Promise<Done> {
    const { text, binds } = render(fragment, notation)
    return (await this.execute(text, binds)).done
  }

  /** Runs one of our own sentences that a server need not be able to prepare. */
  command(sentence: Command): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#wire.connection.query(sentence, (error) => (error ? reject(error) : resolve()))
    return promise
  }

  /** Tells the server how long a statement may take from now on, ms. */
  async limit(ms: number): Promise<void> {
    if (ms === this.#limitMs) return
    await this.run(sql`set session ${this.flavour.timeLimit(ms)}`)
    this.#limitMs = ms
  }

  /** Whether the connection keeps the process running. */
  hold(isBusy: boolean): void {
    if (isBusy) this.#wire.socket.ref()
    else this.#wire.socket.unref()
  }

  /** Leaves the connection at once: whatever runs on it fails as lost. */
  destroy(): void {
    this.#isLost = true
    this.#wire.socket.destroy()
  }

  async #setUp({ readOnly, timeoutMs }: SessionOptions): Promise<void> {
    const settings = [...SETTINGS, this.flavour.timeLimit(timeoutMs)]
    await this.run(sql`set session ${join(settings, ', session ')}`)
    this.#limitMs = timeoutMs
    for (const setting of COMFORTS)
      await this.command(setting).catch((error: unknown) => {
        if (!isUnsettable(failureOf(error))) throw error
      })
    if (readOnly) await this.command('set session transaction read only')
  }
}

/** A connection of the driver's, with the socket below it. */
type Wire = {
  readonly connection: Connection
  readonly socket: Socket
  readonly types: TypedParameter
}

export type Result = { readonly rows: Value[][]; readonly done: Done }

function execute(
  { connection, types }: Wire,
  text: string,
  binds: readonly Value[],
): Promise<Result> {
  const values = binds.map((value) => toParam(types, value))
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  connection.execute({ sql: text, values, rowsAsArray: true }, (error, result, fields) => {
    if (error) reject(error)
    else if (Array.isArray(result))
      resolve({ rows: decodeRows(result as unknown[][], fields), done: NOTHING_DONE })
    else resolve({ rows: [], done: doneOf(v.parse(headerSchema, result)) })
  })
  return promise
}

const versionSchema = v.tuple([v.tuple([v.string()])])

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
  // Only updates tell of rows that were as they are to be.
  changed: info.includes('Changed:') ? (changedRows ?? affectedRows) : affectedRows,
  insertId: typeof insertId === 'string' ? BigInt(insertId) : insertId,
})

/**
 * How the server is to behave, whatever its owner's defaults are. Times are in UTC; nothing is cut
 * off or converted silently; `""` quotes texts as usual; nobody waits long for a lock. No statement
 * of ours holds a backslash in quotes, so both ways of reading one do.
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

/** Where TLS is only preferred, a server without it is spoken to as it is. */
async function connect(address: Address, options: SessionOptions): Promise<Wire> {
  try {
    return await connectBy(address.tls, address, options)
  } catch (error) {
    if (address.tls !== 'prefer' || failureOf(error).code !== NO_TLS) throw error
    return connectBy('off', address, options)
  }
}

const NO_TLS = 'HANDSHAKE_NO_SSL_SUPPORT'

async function connectBy(tls: Tls, address: Address, options: SessionOptions): Promise<Wire> {
  const driver = (await import('mysql2')).default
  const socket = openSocketTo(address)
  const connection = driver.createConnection({
    ...driverOptions(address, options, tls),
    stream: () => socket,
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // The driver tells of a lost connection here too; nobody listening would end the process.
  connection.on('error', reject)
  connection.connect((error) => (error ? reject(error) : resolve()))
  try {
    await promise
  } catch (error) {
    socket.destroy()
    // Whoever never greeted is perhaps not a server at all.
    if (isLost(failureOf(error)))
      throw Object.assign(new Error('No greeting'), { code: NO_GREETING })
    throw error
  }
  return { connection, socket, types: driver.TypedParameter }
}

function openSocketTo({ host, port, socket: path }: Address): Socket {
  const socket = path === undefined ? openSocket(port, host) : openSocket(path)
  return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
}

/** How often a silent connection is asked for a sign of life, ms. */
const KEEP_ALIVE_MS = 30_000

function driverOptions(
  address: Address,
  { connectMs }: SessionOptions,
  tls: Tls,
): ConnectionOptions {
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
    // Found rows are matched rows, changed or not; a file of this machine is never sent.
    flags: ['FOUND_ROWS', '-LOCAL_FILES'],
    maxPreparedStatements: STATEMENTS,
    disableEval: true,
    trace: false,
    ...(tls !== 'off' && { ssl: sslOptions(address, tls) }),
  }
}

const SSL = new WeakMap<Address, SslOptions>()

/** The same object each time, by which the driver knows that a session can be resumed. */
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
