/** MySQL and MariaDB under Kysely: everything in the metadata that is specific to them. */

import {
  CompiledQuery,
  InsertQueryNode,
  type Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type OnConflictNode,
  type QueryResult,
  sql,
  type TransactionSettings,
} from 'kysely'
import { readAddress } from '../mysql/address.ts'
import { Connection } from '../mysql/connection.ts'
import { failureOf, hasNoConnection, isLocked, isLost, toAppError } from '../mysql/failure.ts'
import { flavourOf } from '../mysql/flavour.ts'
import type { Engine } from './engine.ts'
import { bindsOf, objectsOf, ServerDriver, TIMEOUT_MS } from './server-driver.ts'
import type { StoreOptions } from './store.ts'

const CONNECT_MS = 5000
/** How long a node waits for the migrations of another, s. */
const MIGRATION_S = 60
/** The server's number for a row whose key is taken. */
const TAKEN = 1062

export async function openMysql(
  url: string,
  { timeoutMs = TIMEOUT_MS }: StoreOptions,
): Promise<Engine> {
  const address = readAddress(url)
  const { host, port, socket, user, database } = address
  const info = { server: socket ?? `${host}:${port}`, user, database }
  const options = { readOnly: false, connectMs: CONNECT_MS, timeoutMs }
  const driver = new ServerDriver<Connection>({
    timeoutMs,
    connect: () => Connection.open(address, options),
    close: (connection) => connection.destroy(),
    isUsable: (connection) => !connection.isLost,
    isLost: (error) => isLost(failureOf(error)),
    isRefused: (error) => hasNoConnection(failureOf(error)),
    run,
    begin,
    command: (connection, command) => connection.command(command),
    isGone: (error) => isLost(failureOf(error)),
    isRolledBack: (error) => isLocked(failureOf(error)),
    toAppError: (error) => toAppError(error, info, timeoutMs),
  })
  const collation = await collationOf(driver)
  const dialect = {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new MysqlIntrospector(db),
    createQueryCompiler: () => new ConflictCompiler(),
  }
  return {
    name: 'mysql',
    dialect,
    columns: {
      key: sql`varchar(255) character set utf8mb4 collate ${sql.raw(collation)}`,
      text: sql`longtext character set utf8mb4`,
      bytes: sql`longblob`,
      whole: 'bigint',
    },
    place: `${info.server}/${database}`,
    writes: { server: info.server },
    async begin(within) {
      const { rows } = await sql<{ got: number | null }>`select get_lock(
        concat('tablewire ', database()), ${MIGRATION_S}) as got`.execute(within)
      if (rows[0]?.got !== 1) throw new Error('Another process is migrating it.')
    },
    async end(within) {
      await sql`select release_lock(concat('tablewire ', database()))`.execute(within)
    },
    isRolledBack: (error) => driver.isRolledBack(error),
  }
}

/** One that compares byte by byte, spaces at the end included. */
async function collationOf(driver: ServerDriver<Connection>): Promise<string> {
  const turn = await driver.acquireConnection()
  const query = CompiledQuery.raw('select version() as version')
  const { rows } = await turn.executeQuery<{ version: string }>(query)
  return flavourOf(rows[0]?.version ?? '').isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
}

async function begin(
  connection: Connection,
  { isolationLevel }: TransactionSettings,
): Promise<void> {
  if (isolationLevel === 'serializable')
    await connection.command('set transaction isolation level serializable')
  await connection.command('start transaction')
}

/** Kysely's `on conflict` for a server that has none. */
class ConflictCompiler extends MysqlQueryCompiler {
  protected override visitOnConflict({ updates }: OnConflictNode): void {
    if (!updates) return
    this.append('on duplicate key update ')
    this.compileList(updates)
  }
}

async function run<R>(
  connection: Connection,
  { sql: text, parameters, query }: CompiledQuery,
): Promise<QueryResult<R>> {
  try {
    const { rows, done, fields } = await connection.execute(text, bindsOf(parameters))
    return { rows: objectsOf<R>(rows, fields), numAffectedRows: BigInt(done.matched) }
  } catch (error) {
    const isLeft = InsertQueryNode.is(query) && query.onConflict?.doNothing
    if (isLeft && failureOf(error).errno === TAKEN) return { rows: [], numAffectedRows: 0n }
    throw error
  }
}
