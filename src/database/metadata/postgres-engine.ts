/** PostgreSQL under Kysely: everything in the metadata that is specific to it. */

import {
  CompiledQuery,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SelectQueryNode,
  sql,
} from 'kysely'
import { placeOf, readAddress } from '../postgres/address.ts'
import { Connection } from '../postgres/connection.ts'
import { Connector } from '../postgres/connector.ts'
import { loadDriver } from '../postgres/driver.ts'
import { isLost, isRolledBack, toAppError } from '../postgres/failure.ts'
import type { Engine } from './engine.ts'
import { bindsOf, objectsOf, ServerDriver, TIMEOUT_MS } from './server-driver.ts'
import type { StoreOptions } from './store.ts'

const CONNECT_MS = 5000
/** How long the number of a transaction is kept, ms. */
const NOTED_MS = 60 * 60 * 1000

/**
 * The server has one counter of transactions for all its databases. Those that wrote nothing but these
 * tables note their number, in the same statement, so that a change of the data can be told from them.
 */
const NOTE = `with tablewire_noted as (
  insert into tablewire_writes (xid, at)
  values (txid_current(), (extract(epoch from now()) * 1000)::bigint)
  on conflict do nothing) `

export async function openPostgres(
  url: string,
  { environment = {}, timeoutMs = TIMEOUT_MS }: StoreOptions,
): Promise<Engine> {
  const address = readAddress(url, environment)
  const connector = new Connector(await loadDriver(), address, CONNECT_MS)
  const settings = {
    timeoutMs,
    walksIndexes: true,
    isParallel: false,
    mayWrite: true,
  }
  let isNoting = false
  const driver = new ServerDriver<Connection>({
    timeoutMs,
    connect: async () => Connection.start(await connector.connect(), settings),
    close: (connection) => connection.close(),
    isUsable: ({ isUsable }) => isUsable,
    run: (connection, query) => run(connection, query, isNoting),
    begin: (connection, { isolationLevel = 'read committed' }) =>
      connection.run({ text: `begin isolation level ${isolationLevel}`, binds: [] }),
    command: (connection, command) => connection.run({ text: command, binds: [] }),
    isGone: isLost,
    isRolledBack,
    toAppError: (error) => toAppError(error, address),
  })
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  return {
    name: 'postgres',
    dialect,
    columns: { key: sql`text collate "C"`, text: 'text', bytes: 'bytea', whole: 'bigint' },
    place: `${placeOf(address)}/${address.database}`,
    writes: {
      server: placeOf(address),
      async transactions(from) {
        const turn = await driver.acquireConnection()
        const { rows } = await turn.executeQuery<{ xid: number }>(noted(from))
        return new Set(rows.map(({ xid }) => xid))
      },
    },
    async begin(within) {
      await sql`select pg_advisory_xact_lock(hashtext('tablewire migrations'))`.execute(within)
      // Lost with a crash of the server, after which everything counts as changed.
      await sql`create unlogged table if not exists tablewire_writes
        (xid bigint primary key, at bigint not null)`.execute(within)
    },
    ready: () => (isNoting = true),
    isRolledBack: (error) => driver.isRolledBack(error),
    async sweep(db, now) {
      const tables = db.withTables<{ tablewireWrites: { xid: number; at: number } }>()
      await tables
        .deleteFrom('tablewireWrites')
        .where('at', '<', now - NOTED_MS)
        .execute()
    },
  }
}

const noted = (from: number): CompiledQuery =>
  CompiledQuery.raw('select xid from tablewire_writes where xid >= $1', [from])

async function run<R>(
  connection: Connection,
  { sql: text, parameters, query }: CompiledQuery,
  isNoting: boolean,
): Promise<QueryResult<R>> {
  const isWrite = /^(?:insert|update|delete) /.test(text)
  const { rows, rowCount, fields } = await connection.run(
    { text: isWrite && isNoting ? NOTE + text : text, binds: bindsOf(parameters) },
    { isRare: !isWrite && !SelectQueryNode.is(query) },
  )
  return {
    rows: objectsOf<R>(rows, fields),
    ...(isWrite && { numAffectedRows: BigInt(rowCount ?? 0) }),
  }
}
