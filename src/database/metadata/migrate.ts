/** Runs the migrations of a list, on any engine, also where several nodes start at once. */

import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely'
import type { ColumnTypes, Engine } from './engine.ts'

/** What a migration makes its tables with. */
export type Schema = {
  readonly db: Kysely<object>
  readonly engine: Engine['name']
  readonly columns: ColumnTypes
  /**
   * Begins a table. MySQL and MariaDB commit each statement of a schema by itself, so there what an
   * interrupted migration has made already is left as it is.
   */
  table<Name extends string>(name: Name): CreateTableBuilder<Name>
  index(table: string, columns: readonly string[], isUnique?: boolean): Promise<void>
  /** Adds a column to a table that an earlier migration made. */
  column(
    table: string,
    name: string,
    type: ColumnTypes[keyof ColumnTypes],
    build?: Build,
  ): Promise<void>
}

type Build = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

export const required: Build = (column) => column.notNull()
export const primary: Build = (column) => column.primaryKey().notNull()

export type Migration = {
  readonly name: string
  readonly up: (schema: Schema) => Promise<unknown>
}

/** A list of migrations in order, to which others are only ever appended; a released one never changes. */
export type Migrations = {
  /** The table that keeps which of them were applied: one for each list. */
  readonly keptIn: string
  readonly list: readonly Migration[]
}

export type MigrateOptions = {
  readonly now: () => number
  /** Called before the first migration is applied. */
  readonly creating?: () => void
}

/**
 * Applies what is pending, in one transaction where the engine can; other nodes wait meanwhile. Throws
 * if a newer Tablewire has applied others.
 */
export async function migrate(
  db: Kysely<object>,
  engine: Engine,
  { keptIn, list }: Migrations,
  { now, creating }: MigrateOptions,
): Promise<void> {
  await db.transaction().execute(async (within) => {
    try {
      await engine.begin?.(within)
      const schema = schemaOver(within, engine)
      const applied = await readApplied(schema, keptIn)
      refuseNewer(applied, list)
      if (applied.size === 0) creating?.()
      await createKept(schema, keptIn)
      for (const { name, up } of list) {
        if (applied.has(name)) continue
        await up(schema)
        await sql`insert into ${sql.table(keptIn)} values (${name}, ${now()})`.execute(within)
      }
    } finally {
      await engine.end?.(within)
    }
  })
}

/** How each engine tells that a table is there, by its name. */
const FOUND: Readonly<Record<Engine['name'], (name: string) => RawBuilder<unknown>>> = {
  sqlite: (name) => sql`select 1 from sqlite_schema where name = ${name}`,
  postgres: (name) => sql`select 1 where to_regclass(${name}) is not null`,
  mysql: (name) => sql`select 1 from information_schema.tables
    where table_schema = database() and table_name = ${name}`,
}

async function readApplied(
  { db: within, engine }: Schema,
  keptIn: string,
): Promise<ReadonlySet<string>> {
  const found = await FOUND[engine](keptIn).execute(within)
  if (found.rows.length === 0) return new Set()
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(keptIn)}`.execute(
    within,
  )
  return new Set(rows.map(({ name }) => name))
}

function refuseNewer(applied: ReadonlySet<string>, list: readonly Migration[]): void {
  const known = new Set(list.map(({ name }) => name))
  const newer = [...applied].find((name) => !known.has(name))
  if (newer === undefined) return
  throw new Error(
    `It was made by a newer Tablewire (migration “${newer}” is not known here): update Tablewire.`,
  )
}

const createKept = ({ table, columns }: Schema, keptIn: string): Promise<void> =>
  table(keptIn)
    .ifNotExists()
    .addColumn('name', columns.key, primary)
    .addColumn('applied_at', columns.whole, required)
    .execute()

function schemaOver(db: Kysely<object>, engine: Engine): Schema {
  const isMysql = engine.name === 'mysql'
  return {
    db,
    engine: engine.name,
    columns: engine.columns,
    table(name) {
      const begun = db.schema.createTable(name)
      return isMysql ? begun.ifNotExists().modifyEnd(sql`engine = InnoDB`) : begun
    },
    async index(table, columns, isUnique = false) {
      const name = `${table}_${columns.join('_')}`
      if (isMysql && (await hasIndex(db, table, name))) return
      const index = db.schema
        .createIndex(name)
        .on(table)
        .columns([...columns])
      await (isUnique ? index.unique() : index).execute()
    },
    async column(table, name, type, build) {
      if (isMysql && (await hasColumn(db, table, name))) return
      await db.schema.alterTable(table).addColumn(name, type, build).execute()
    },
  }
}

async function hasColumn(db: Kysely<object>, table: string, column: string): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.columns
    where table_schema = database() and table_name = ${table} and column_name = ${column}`.execute(
    db,
  )
  return rows.length > 0
}

async function hasIndex(db: Kysely<object>, table: string, index: string): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.statistics
    where table_schema = database() and table_name = ${table} and index_name = ${index}`.execute(db)
  return rows.length > 0
}
