/** Node's own SQLite under Kysely: everything in the metadata that is specific to SQLite. */

import { closeSync, constants, fchmodSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { failureOf, isBusy } from '../sqlite/failure.ts'
import type { Engine } from './engine.ts'

/** How long to wait for another writer at once, as the process does nothing else meanwhile, ms. */
const AT_ONCE_MS = 20
/** How long to wait for it in all, ms. */
const BUSY_MS = 5000
const PAUSE_MS = 10
/** Statements kept prepared: preparing costs as much as a small read. */
const STATEMENTS = 200
/** An acknowledged write is on disk; the schema may not call unsafe functions. */
const SETTINGS = ['journal_mode = wal', 'synchronous = full', 'trusted_schema = off']

/**
 * Opens a file, or `:memory:`. One of Tablewire's own is made if it is missing, and only its owner may
 * read it.
 */
export async function openSqlite(file: string, isBeside: boolean): Promise<Engine> {
  if (file !== ':memory:' && !isBeside) ownFile(file)
  const database = new DatabaseSync(file, {
    enableForeignKeyConstraints: true,
    timeout: AT_ONCE_MS,
  })
  try {
    for (const setting of SETTINGS) await patiently(() => database.exec(`pragma ${setting}`))
  } catch (error) {
    database.close()
    throw error
  }
  const version = database.prepare('pragma data_version')
  const config = {
    database: {
      close: () => void (database.isOpen && database.close()),
      prepare: statements(database),
    },
  }
  return {
    name: 'sqlite',
    dialect: new NodeSqliteDialect(config),
    columns: { key: 'text', text: 'text', bytes: 'blob', whole: 'bigint' },
    place: file,
    // The version that a connection sees does not change by what it has written itself.
    writes: { server: resolve(file), version: () => String(version.get()?.['data_version']) },
    isRolledBack: () => false,
  }
}

/** SQLite gives its log files the mode of the database, so this covers them. */
function ownFile(file: string): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  fchmodSync(descriptor, 0o600)
  closeSync(descriptor)
}

/** Tries again while another connection is writing. */
async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + BUSY_MS
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (performance.now() > until || !isBusy(failureOf(error))) throw error
      await after(PAUSE_MS)
    }
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): SqliteDriver {
    return new PatientDriver(this.#config)
  }
}

/** Waits for other writers without holding the process up. */
class PatientDriver extends SqliteDriver {
  #patient: DatabaseConnection | undefined

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#patient ??= patient(await super.acquireConnection())
    return this.#patient
  }

  /** A deferred transaction that reads before it writes fails at once if another has written since. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

const patient = (connection: DatabaseConnection): DatabaseConnection => ({
  executeQuery: (query) => patiently(() => connection.executeQuery(query)),
  streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
})

function statements(database: DatabaseSync): (text: string) => SqliteStatement {
  const prepared = new Map<string, SqliteStatement>()
  return (text) => {
    const known = prepared.get(text)
    if (known) return known
    if (prepared.size >= STATEMENTS) prepared.clear()
    const made = statement(database.prepare(text))
    prepared.set(text, made)
    return made
  }
}

const statement = (prepared: StatementSync): SqliteStatement => ({
  reader: prepared.columns().length > 0,
  // Node's rows have no prototype, and some comparisons and serializers fail on them.
  all: (values) => prepared.all(...bind(values)).map((row) => ({ ...row })),
  run: (values) => prepared.run(...bind(values)),
  iterate: (values) => prepared.iterate(...bind(values)),
})

// Kysely does not say what it binds; the columns of these tables hold texts, numbers and NULL.
const bind = (values: readonly unknown[]) => values as readonly SQLInputValue[]
