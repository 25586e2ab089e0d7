/** The schemas of public applications, each loaded into its engine. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Value } from '../../src/table/source/value.ts'
import * as mysql from '../contracts/mysql-server.ts'
import * as postgres from '../contracts/postgres-server.ts'

/** An application's database, with its tables and no rows. */
export type LoadedApplication = {
  /** As the command takes it. */
  readonly address: string
  /** What quotes a name in a statement. */
  readonly quote: '"' | '`'
  /** Orders of a list worth reading at a time: more than one where others do the work. */
  readonly atOnce: number
  query(text: string): Promise<unknown[][]>
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly Value[])[],
  ): Promise<void>
  /** Lets the planner see what has been inserted. */
  analyze(): Promise<void>
  drop(): Promise<void>
}

export type Application = {
  readonly name: string
  readonly engine: string
  /** Its tables and views, and how many of their columns lists are sorted by. */
  readonly tables: number
  readonly columns: number
  /** Whether its engine can be reached. */
  readonly isThere: boolean
  load(): Promise<LoadedApplication>
}

const read = (path: string): string =>
  brotliDecompressSync(readFileSync(join(import.meta.dirname, 'data', `${path}.br`))).toString()

/** A name in a statement. */
export const quoted = (name: string, { quote }: Pick<LoadedApplication, 'quote'>): string =>
  quote + name.replaceAll(quote, quote + quote) + quote

async function loadMedusa(): Promise<LoadedApplication> {
  const database = await postgres.createDatabase()
  // One connection answers one query after the other.
  let turn = database.run(read('medusa/postgresql-schema.sql'))
  await turn
  return {
    address: database.url(),
    quote: '"',
    atOnce: 4,
    query: (text) => (turn = turn.then(() => database.run(text))),
    insert: async (table, columns, rows) => {
      const places = (row: number) =>
        columns.map((_, i) => `$${row * columns.length + i + 1}`).join()
      const names = columns.map((name) => `"${name}"`).join()
      await database.run(
        `insert into "${table}" (${names}) values ${rows.map((_, i) => `(${places(i)})`).join()}`,
        rows.flat(),
      )
    },
    analyze: async () => void (await database.run('analyze')),
    drop: database.drop,
  }
}

async function loadGhost(): Promise<LoadedApplication> {
  const database = await mysql.createDatabase()
  await database.run(read('ghost/mysql-schema.sql'))
  return {
    address: database.url(),
    quote: '`',
    atOnce: 4,
    query: (text) => database.run(text),
    insert: (table, columns, rows) =>
      database.insert(`\`${table}\` (${columns.map((name) => `\`${name}\``).join()})`, rows),
    analyze: async () => {
      const tables = await database.run('show full tables where table_type = "BASE TABLE"')
      await database.run(`analyze table ${tables.map(([name]) => `\`${String(name)}\``).join()}`)
    },
    drop: database.drop,
  }
}

async function loadKeystone(): Promise<LoadedApplication> {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-application-'))
  const file = join(folder, 'keystone.sqlite')
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = off; begin; ${read('keystone/sqlite-schema.sql')}; commit`)
  const bound = (value: Value) => (typeof value === 'boolean' ? Number(value) : value)
  return {
    address: file,
    quote: '"',
    atOnce: 1,
    query: async (text) => {
      const statement = db.prepare(text)
      statement.setReturnArrays(true)
      // The types of Node know rows as objects alone.
      return statement.all() as unknown as unknown[][]
    },
    insert: async (table, columns, rows) => {
      const names = columns.map((name) => `"${name}"`).join()
      const statement = db.prepare(
        `insert into "${table}" (${names}) values (${columns.map(() => '?').join()})`,
      )
      db.exec('begin; pragma defer_foreign_keys = on')
      for (const row of rows) statement.run(...row.map(bound))
      db.exec('commit')
    },
    analyze: async () => db.exec('analyze'),
    drop: async () => {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const APPLICATIONS: readonly Application[] = [
  {
    name: 'medusa',
    engine: 'PostgreSQL',
    tables: 88,
    columns: 865,
    isThere: postgres.postgresVersion !== undefined,
    load: loadMedusa,
  },
  {
    name: 'ghost',
    engine: mysql.isMariaDb ? 'MariaDB' : 'MySQL',
    tables: 97,
    columns: 902,
    isThere: mysql.mysqlVersion !== undefined,
    load: loadGhost,
  },
  {
    name: 'keystone',
    engine: 'SQLite',
    tables: 49,
    columns: 229,
    isThere: true,
    load: loadKeystone,
  },
]
