/** Node's own SQLite as a Kysely dialect: everything in the metadata that is specific to SQLite. */

import { closeSync, constants, fchmodSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'

/** How long to wait for another process that is writing, ms. */
const BUSY_TIMEOUT_MS = 5000
/** Statements kept prepared: preparing costs as much as a small read. */
const STATEMENTS = 200
/** An acknowledged write is on disk; the schema may not call unsafe functions. */
const SETTINGS = ['journal_mode = wal', 'synchronous = full', 'trusted_schema = off']

/** Opens the file, readable and writable by its owner only, or `:memory:`. */
export function openSqlite(file: string): DatabaseSync {
  if (file !== ':memory:') ownFile(file)
  const database = new DatabaseSync(file, {
    enableForeignKeyConstraints: true,
    timeout: BUSY_TIMEOUT_MS,
  })
  try {
    for (const setting of SETTINGS) database.exec(`pragma ${setting}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite gives its log files the mode of the database, so this covers them. */
function ownFile(file: string): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  fchmodSync(descriptor, 0o600)
  closeSync(descriptor)
}

export function sqliteDialect(database: DatabaseSync): Dialect {
  const config = { database: { close: () => database.close(), prepare: statements(database) } }
  return new NodeSqliteDialect(config)
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config)
  }
}

/** A deferred transaction that reads before it writes fails at once if another has written since. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

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
