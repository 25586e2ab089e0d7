/** All migrations of Tablewire's own tables, in order; a released migration never changes. */

import { type ColumnDefinitionBuilder, type ForeignKeyConstraintBuilder, sql } from 'kysely'
import { type Migrations, primary, required, type Schema } from './migrate.ts'
import {
  createCorrections,
  createLeftRows,
  createPlans,
  createSavedViews,
} from './migrations-of-lists.ts'

const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique()

/** Files had it before there were servers, and lose it in `createRoles`. */
const role =
  ({ engine }: Schema) =>
  (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite'
      ? column.notNull().check(sql`role in ('admin', 'editor', 'viewer')`)
      : column.notNull()

const createUsers = (schema: Schema): Promise<void> =>
  usersTable(schema, 'tablewire_users')
    .addColumn('role', schema.columns.key, role(schema))
    .execute()

/** Without the column for the role. */
const usersTable = ({ table, columns }: Schema, name: string) =>
  table(name)
    .addColumn('id', columns.key, primary)
    .addColumn('email', columns.text, required)
    .addColumn('email_key', columns.key, unique)
    .addColumn('name', columns.text, required)
    .addColumn('password_hash', columns.text)
    .addColumn('created_at', columns.whole, required)
    .addColumn('disabled_at', columns.whole)

async function createSessions(schema: Schema): Promise<void> {
  await sessionsTable(schema, 'tablewire_sessions', 'tablewire_users').execute()
  await indexSessions(schema)
}

const sessionsTable = ({ table, columns }: Schema, name: string, users: string) =>
  table(name)
    .addColumn('id', columns.key, primary)
    .addColumn('token_hash', columns.key, unique)
    .addColumn('lineage', columns.text, required)
    .addColumn('user_id', columns.key, required)
    .addColumn('created_at', columns.whole, required)
    .addColumn('last_seen_at', columns.whole, required)
    .addColumn('expires_at', columns.whole, required)
    .addColumn('address', columns.text, required)
    .addColumn('user_agent', columns.text, required)
    .addForeignKeyConstraint(`${name}_user`, ['user_id'], users, ['id'], (key) =>
      key.onDelete('cascade'),
    )

async function indexSessions({ index }: Schema): Promise<void> {
  await index('tablewire_sessions', ['user_id'])
  await index('tablewire_sessions', ['expires_at'])
}

const createLinks = (schema: Schema): Promise<void> =>
  linksTable(schema, 'tablewire_links', 'tablewire_users')
    .addColumn('role', schema.columns.key, role(schema))
    .execute()

/** Without the column for the role. */
const linksTable = ({ table, columns }: Schema, name: string, users: string) =>
  table(name)
    .addColumn('token_hash', columns.key, primary)
    .addColumn('user_id', columns.key)
    .addColumn('expires_at', columns.whole, required)
    .addColumn('used_at', columns.whole)
    .addForeignKeyConstraint(`${name}_user`, ['user_id'], users, ['id'], (key) =>
      key.onDelete('cascade'),
    )

/** From here on, `user_id` has no foreign key: an embedding application may have users of its own. */
function createPreferences({ table, columns }: Schema): Promise<void> {
  return table('tablewire_preferences')
    .addColumn('user_id', columns.key, required)
    .addColumn('name', columns.key, required)
    .addColumn('value', columns.text, required)
    .addPrimaryKeyConstraint('tablewire_preferences_key', ['user_id', 'name'])
    .execute()
}

async function createIdempotency({ table, columns, index }: Schema): Promise<void> {
  await table('tablewire_idempotency')
    .addColumn('user_id', columns.key, required)
    .addColumn('key', columns.key, required)
    .addColumn('digest', columns.text, required)
    .addColumn('state', columns.key, (column) =>
      column.notNull().check(sql`state in ('pending', 'done')`),
    )
    .addColumn('answer', columns.text)
    .addColumn('created_at', columns.whole, required)
    .addPrimaryKeyConstraint('tablewire_idempotency_key', ['user_id', 'key'])
    .execute()
  await index('tablewire_idempotency', ['created_at'])
}

function createSettings({ table, columns }: Schema): Promise<void> {
  return table('tablewire_settings')
    .addColumn('name', columns.key, primary)
    .addColumn('value', columns.text, required)
    .execute()
}

async function createRoles(schema: Schema): Promise<void> {
  const { db, table, columns, engine } = schema
  await table('tablewire_roles').addColumn('name', columns.key, primary).execute()
  await db
    .withTables<{ tablewireRoles: { name: string } }>()
    .insertInto('tablewireRoles')
    .values(['admin', 'editor', 'viewer'].map((name) => ({ name })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  if (engine === 'sqlite') await freeRoles(schema)
}

/**
 * SQLite drops a constraint only with its table, and dropping the people would end the sessions that refer
 * to them: so new tables take the place of all three. Renaming a table changes what refers to it.
 */
async function freeRoles(schema: Schema): Promise<void> {
  const { db, columns } = schema
  await usersTable(schema, 'tablewire_users_new').addColumn('role', columns.key, required).execute()
  await sessionsTable(schema, 'tablewire_sessions_new', 'tablewire_users_new').execute()
  await linksTable(schema, 'tablewire_links_new', 'tablewire_users_new')
    .addColumn('role', columns.key, required)
    .execute()
  for (const [table, names] of COPIED)
    await sql`insert into ${sql.table(`${table}_new`)} (${sql.raw(names)})
      select ${sql.raw(names)} from ${sql.table(table)}`.execute(db)
  for (const [table] of COPIED.toReversed()) await db.schema.dropTable(table).execute()
  for (const [table] of COPIED) await db.schema.alterTable(`${table}_new`).renameTo(table).execute()
  await indexSessions(schema)
}

const COPIED: readonly (readonly [table: string, columns: string])[] = [
  ['tablewire_users', 'id, email, email_key, name, role, password_hash, created_at, disabled_at'],
  [
    'tablewire_sessions',
    'id, token_hash, lineage, user_id, created_at, last_seen_at, expires_at, address, user_agent',
  ],
  ['tablewire_links', 'token_hash, user_id, role, expires_at, used_at'],
]

function createLimits({ table, columns }: Schema): Promise<void> {
  return table('tablewire_limits')
    .addColumn('key', columns.key, primary)
    .addColumn('until', columns.whole, required)
    .execute()
}

async function createUploads({ table, columns, index }: Schema): Promise<void> {
  await table('tablewire_uploads')
    .addColumn('id', columns.key, primary)
    .addColumn('user_id', columns.key, required)
    .addColumn('component', columns.text, required)
    .addColumn('property', columns.text, required)
    .addColumn('name', columns.text, required)
    .addColumn('type', columns.text, required)
    .addColumn('size', columns.whole, required)
    .addColumn('digest', columns.text, required)
    .addColumn('state', columns.key, required)
    .addColumn('created_at', columns.whole, required)
    .execute()
  await index('tablewire_uploads', ['user_id'])
  await index('tablewire_uploads', ['created_at'])
}

async function createPeopleChanges({ table, columns, index, column }: Schema): Promise<void> {
  await column('tablewire_users', 'last_seen_at', columns.whole)
  await column('tablewire_links', 'sets_password', columns.whole, (one) =>
    one.notNull().defaultTo(0),
  )
  await table('tablewire_people_changes')
    .addColumn('id', columns.key, primary)
    .addColumn('at', columns.whole, required)
    .addColumn('by_id', columns.key, required)
    .addColumn('by_name', columns.text, required)
    .addColumn('person_id', columns.key, required)
    .addColumn('person_name', columns.text, required)
    .addColumn('what', columns.key, required)
    .addColumn('before', columns.text)
    .addColumn('after', columns.text)
    .execute()
  await index('tablewire_people_changes', ['at'])
}

async function createFiles({ table, columns, index }: Schema): Promise<void> {
  await table('tablewire_files')
    .addColumn('file_key', columns.key, primary)
    .addColumn('table_name', columns.text, required)
    .addColumn('column_name', columns.text, required)
    .addColumn('due_at', columns.whole, required)
    .execute()
  await index('tablewire_files', ['due_at'])
}

/** They go with their person. */
async function createSecondFactors({ table, columns, index }: Schema): Promise<void> {
  await table('tablewire_codes')
    .addColumn('user_id', columns.key, primary)
    .addColumn('secret', columns.text, required)
    .addColumn('last_step', columns.whole, required)
    .addColumn('created_at', columns.whole, required)
    .addForeignKeyConstraint('tablewire_codes_user', ['user_id'], ...ofPeople)
    .execute()
  await table('tablewire_recovery')
    .addColumn('user_id', columns.key, required)
    .addColumn('digest', columns.key, required)
    .addPrimaryKeyConstraint('tablewire_recovery_key', ['user_id', 'digest'])
    .addForeignKeyConstraint('tablewire_recovery_user', ['user_id'], ...ofPeople)
    .execute()
  await table('tablewire_passkeys')
    .addColumn('id', columns.key, primary)
    .addColumn('credential_id', columns.text, required)
    .addColumn('user_id', columns.key, required)
    .addColumn('name', columns.text, required)
    .addColumn('public_key', columns.text, required)
    .addColumn('counter', columns.whole, required)
    .addColumn('transports', columns.text, required)
    .addColumn('created_at', columns.whole, required)
    .addColumn('last_used_at', columns.whole)
    .addForeignKeyConstraint('tablewire_passkeys_user', ['user_id'], ...ofPeople)
    .execute()
  await index('tablewire_passkeys', ['user_id'])
}

/** One for each person, who goes with it. */
async function createIdentities({ table, columns }: Schema): Promise<void> {
  await table('tablewire_identities')
    .addColumn('id', columns.key, primary)
    .addColumn('issuer', columns.text, required)
    .addColumn('subject', columns.text, required)
    .addColumn('user_id', columns.key, unique)
    .addColumn('created_at', columns.whole, required)
    .addColumn('is_strong', columns.whole, required)
    .addForeignKeyConstraint('tablewire_identities_user', ['user_id'], ...ofPeople)
    .execute()
}

const ofPeople: [
  table: string,
  columns: string[],
  build: (key: ForeignKeyConstraintBuilder) => ForeignKeyConstraintBuilder,
] = ['tablewire_users', ['id'], (key) => key.onDelete('cascade')]

export const MIGRATIONS: Migrations = {
  keptIn: 'tablewire_migrations',
  list: [
    { name: '0001-users', up: createUsers },
    { name: '0002-sessions', up: createSessions },
    { name: '0003-links', up: createLinks },
    { name: '0004-preferences', up: createPreferences },
    { name: '0005-idempotency', up: createIdempotency },
    { name: '0006-settings', up: createSettings },
    { name: '0007-roles', up: createRoles },
    { name: '0008-limits', up: createLimits },
    { name: '0009-uploads', up: createUploads },
    { name: '0010-people', up: createPeopleChanges },
    { name: '0011-files', up: createFiles },
    { name: '0012-second-factors', up: createSecondFactors },
    { name: '0013-plans', up: createPlans },
    { name: '0014-identities', up: createIdentities },
    { name: '0015-left-rows', up: createLeftRows },
    { name: '0016-saved-views', up: createSavedViews },
    { name: '0017-corrections', up: createCorrections },
  ],
}
