/** All migrations of Tablewire's own tables, in order; a released migration never changes. */

import { type Kysely, sql } from 'kysely'
import type { MetadataTables } from './tables.ts'

type Database = Kysely<MetadataTables>
type Migration = { readonly name: string; readonly up: (db: Database) => Promise<void> }

const MIGRATIONS: readonly Migration[] = [
  { name: '0001-users', up: createUsers },
  { name: '0002-sessions', up: createSessions },
  { name: '0003-links', up: createLinks },
  { name: '0004-preferences', up: createPreferences },
  { name: '0005-idempotency', up: createIdempotency },
  { name: '0006-settings', up: createSettings },
]

/** Runs the pending migrations in one transaction. Throws if a newer Tablewire has migrated the file. */
export async function migrate(db: Database, now: () => number): Promise<void> {
  await db.transaction().execute(async (within) => {
    await createMigrations(within)
    const rows = await within.selectFrom('tablewireMigrations').select('name').execute()
    const applied = new Set(rows.map(({ name }) => name))
    refuseNewer(applied)
    for (const migration of MIGRATIONS)
      if (!applied.has(migration.name)) await apply(within, migration, now())
  })
}

function refuseNewer(applied: ReadonlySet<string>): void {
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  const newer = [...applied].find((name) => !known.has(name))
  if (newer === undefined) return
  throw new Error(
    `It was made by a newer Tablewire (migration “${newer}” is not known here): update Tablewire.`,
  )
}

async function apply(db: Database, { name, up }: Migration, appliedAt: number): Promise<void> {
  await up(db)
  await db.insertInto('tablewireMigrations').values({ name, appliedAt }).execute()
}

const createMigrations = (db: Database) =>
  db.schema
    .createTable('tablewire_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute()

const isRole = sql`role in ('admin', 'editor', 'viewer')`

function createUsers(db: Database): Promise<void> {
  return db.schema
    .createTable('tablewire_users')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull().check(isRole))
    .addColumn('password_hash', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .execute()
}

async function createSessions(db: Database): Promise<void> {
  await db.schema
    .createTable('tablewire_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('lineage', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('tablewire_users.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .execute()
  await index(db, 'tablewire_sessions', 'user_id')
  await index(db, 'tablewire_sessions', 'expires_at')
}

async function createLinks(db: Database): Promise<void> {
  await db.schema
    .createTable('tablewire_links')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', (column) =>
      column.references('tablewire_users.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) => column.notNull().check(isRole))
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
}

/** From here on, `user_id` has no foreign key: an embedding application may have users of its own. */
function createPreferences(db: Database): Promise<void> {
  return db.schema
    .createTable('tablewire_preferences')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('tablewire_preferences_key', ['user_id', 'name'])
    .execute()
}

async function createIdempotency(db: Database): Promise<void> {
  await db.schema
    .createTable('tablewire_idempotency')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state in ('pending', 'done')`),
    )
    .addColumn('answer', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('tablewire_idempotency_key', ['user_id', 'key'])
    .execute()
  await index(db, 'tablewire_idempotency', 'created_at')
}

function createSettings(db: Database): Promise<void> {
  return db.schema
    .createTable('tablewire_settings')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

const index = (db: Database, table: string, column: string) =>
  db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute()
