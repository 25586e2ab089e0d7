/** The MySQL or MariaDB server that the tests use, and databases of their own on it. */

import { randomBytes } from 'node:crypto'
import { createConnection, type Connection } from 'mysql2/promise'
import { describe } from 'vitest'
import { addressOn, MYSQL } from './servers.ts'

/** The server's version, or `undefined` if none answers. */
export const mysqlVersion = await readVersion()

export const isMariaDb = /mariadb/i.test(mysqlVersion ?? '')

/** A table of the numbers from 1 on in a column `seq`, as a statement names it. */
export const numbersTo = (last: number): string =>
  `(with recursive numbers (seq) as (select 1 union all select seq + 1 from numbers where seq < ${last})
    select seq from numbers) numbers`

/** Declares tests that need the server; without one they are skipped with a notice. */
export const describeMysql = describe.skipIf(mysqlVersion === undefined)

async function readVersion(): Promise<string | undefined> {
  try {
    const connection = await createConnection(MYSQL.href)
    const [rows] = await connection.query({ sql: 'select version()', rowsAsArray: true })
    await connection.end()
    return String((rows as unknown[][])[0]?.[0])
  } catch (cause) {
    if (process.env['CI'])
      throw new Error(`No MySQL or MariaDB answers at ${MYSQL.host}.`, { cause })
    process.stderr.write(
      `\nSKIPPED: no MySQL or MariaDB answers at ${MYSQL.host}, set TABLEWIRE_MYSQL\n`,
    )
    return undefined
  }
}

/** Values that a test's statement may bind. */
export type TestValue = null | string | number | bigint | boolean | Uint8Array

export type TestDatabase = {
  readonly name: string
  /** Its address, optionally for another user or port. */
  url(other?: {
    readonly name?: string
    readonly password?: string
    readonly port?: number
  }): string
  /** Runs statements as the server's owner. */
  run(text: string, values?: readonly TestValue[]): Promise<unknown[][]>
  /** Inserts rows into a table, whose name is already quoted. */
  insert(table: string, rows: readonly (readonly TestValue[])[]): Promise<void>
  /** Drops all tables. */
  clear(): Promise<void>
  drop(): Promise<void>
}

/** Creates an empty database for one test file. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `tablewire_test_${randomBytes(6).toString('hex')}`
  const owner = await createConnection({
    uri: MYSQL.href,
    multipleStatements: true,
    rowsAsArray: true,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
  })
  await owner.query(`create database ${name} character set utf8mb4; use ${name}`)
  await owner.query("set time_zone = '+00:00', sql_mode = ''")
  const recursion = isMariaDb ? 'max_recursive_iterations' : 'cte_max_recursion_depth'
  await owner.query(`set session ${recursion} = 1000000`)
  return {
    name,
    url: (other) => urlOf(name, other),
    run: (text, values) => rowsOf(owner, text, values),
    insert: async (table, rows) => {
      const bound = rows.map((row) => row.map(boundValue))
      await owner.query(`insert into ${table} values ?`, [bound])
    },
    clear: async () => {
      await owner.query(`drop database if exists ${name};
        create database ${name} character set utf8mb4; use ${name}`)
    },
    drop: async () => {
      await owner.query(`drop database if exists ${name}`)
      await owner.end()
    },
  }
}

const boundValue = (value: TestValue): TestValue =>
  value instanceof Uint8Array ? Buffer.from(value) : value

async function rowsOf(
  owner: Connection,
  text: string,
  values: readonly TestValue[] = [],
): Promise<unknown[][]> {
  const [rows] = await owner.query(text, values.map(boundValue))
  return Array.isArray(rows) ? (rows as unknown[][]) : []
}

function urlOf(
  database: string,
  { name, password, port }: Parameters<TestDatabase['url']>[0] = {},
): string {
  const url = new URL(addressOn(MYSQL, database))
  if (name !== undefined) url.username = name
  if (password !== undefined) url.password = password
  if (port !== undefined) url.port = String(port)
  return url.href
}

/** Where the server listens. */
export const mysqlPort = Number(MYSQL.port || 3306)
