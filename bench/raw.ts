/** Statements written by hand, to measure against: one connection to whatever database it is. */

import { DatabaseSync } from 'node:sqlite'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import type { Site } from './site.ts'

export type Raw = {
  readonly kind: 'sqlite' | 'postgres' | 'mysql'
  /** Rows as arrays. */
  all(sql: string): Promise<unknown[][]>
  /** The same along an index of the order, where the statement cannot say so. Default: `all`. */
  walk?(sql: string): Promise<unknown[][]>
  close(): Promise<void>
}

export async function openRaw({ database }: Site): Promise<Raw> {
  if (/^postgres/.test(database)) return openPostgres(database)
  return /^(mysql|mariadb):/.test(database) ? openMysql(database) : openFile(database)
}

async function openPostgres(database: string): Promise<Raw> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const all = async (text: string) =>
    (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
  return {
    kind: 'postgres',
    all,
    async walk(text) {
      // There is no word for it in the statement itself.
      await client.query(
        'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off',
      )
      const rows = await all(text)
      await client.query('reset enable_seqscan; reset enable_bitmapscan; reset enable_sort')
      return rows
    },
    close: () => client.end(),
  }
}

async function openMysql(database: string): Promise<Raw> {
  const connection = await createConnection(database.replace(/^mariadb:/, 'mysql:'))
  return {
    kind: 'mysql',
    all: async (sql) => (await connection.query({ sql, rowsAsArray: true }))[0] as unknown[][],
    close: () => connection.end(),
  }
}

async function openFile(database: string): Promise<Raw> {
  const db = new DatabaseSync(database, { readOnly: true })
  return {
    kind: 'sqlite',
    all: async (sql) => {
      const statement = db.prepare(sql)
      statement.setReturnArrays(true)
      return statement.all() as unknown as unknown[][]
    },
    close: async () => db.close(),
  }
}
