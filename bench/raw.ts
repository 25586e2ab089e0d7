/** Runs hand-written statements for comparison, over one connection to any database. */

import { DatabaseSync } from 'node:sqlite'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import type { Site } from './site.ts'

export type Raw = {
  readonly kind: 'sqlite' | 'postgres' | 'mysql'
  /** Rows as arrays. */
  all(sql: string): Promise<unknown[][]>
  /**
   * The same along an index of the order, which a statement cannot force on PostgreSQL. A server
   * cancels it after `limitMs`, since it may take many minutes; then it throws.
   */
  walk(sql: string, limitMs: number): Promise<unknown[][]>
  close(): Promise<void>
}

export async function openRaw({ database }: Pick<Site, 'database'>): Promise<Raw> {
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
    async walk(text, limitMs) {
      await client.query(
        `set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set statement_timeout = ${limitMs}`,
      )
      try {
        return await all(text)
      } finally {
        await client.query('reset all')
      }
    },
    close: () => client.end(),
  }
}

async function openMysql(database: string): Promise<Raw> {
  const connection = await createConnection(database.replace(/^mariadb:/, 'mysql:'))
  const all = async (sql: string) =>
    (await connection.query({ sql, rowsAsArray: true }))[0] as unknown[][]
  return {
    kind: 'mysql',
    all,
    // MariaDB's syntax.
    walk: (sql, limitMs) => all(`set statement max_statement_time = ${limitMs / 1000} for ${sql}`),
    close: () => connection.end(),
  }
}

async function openFile(database: string): Promise<Raw> {
  const db = new DatabaseSync(database, { readOnly: true })
  const all = async (sql: string) => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all() as unknown as unknown[][]
  }
  return {
    kind: 'sqlite',
    all,
    walk: all,
    close: async () => db.close(),
  }
}
