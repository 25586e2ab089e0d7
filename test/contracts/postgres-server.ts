/** The PostgreSQL server that the tests use, and databases of their own on it. */

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe } from 'vitest'
import { addressOn, POSTGRES } from './servers.ts'

/** The server's version, or `undefined` if none answers. */
export const postgresVersion = await readVersion()

/** Declares tests that need the server; without one they are skipped with a notice. */
export const describePostgres = describe.skipIf(postgresVersion === undefined)

async function readVersion(): Promise<string | undefined> {
  try {
    const [row] = await asOwner(POSTGRES, 'show server_version')
    return String(row?.[0])
  } catch (cause) {
    if (process.env['CI']) throw new Error(`No PostgreSQL answers at ${POSTGRES.host}.`, { cause })
    process.stderr.write(
      `\nSKIPPED: no PostgreSQL answers at ${POSTGRES.host}, set TABLEWIRE_POSTGRES\n`,
    )
    return undefined
  }
}

async function asOwner(url: URL, text: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

export type TestDatabase = {
  readonly name: string
  /** Its address, optionally for another user. */
  url(user?: string): string
  /** Runs statements as the server's owner, and returns the rows of the last one. */
  run(text: string, values?: readonly unknown[]): Promise<unknown[][]>
  drop(): Promise<void>
}

/** Creates an empty database for one test file. */
export async function createDatabase(options = ''): Promise<TestDatabase> {
  const name = `tablewire_test_${randomBytes(6).toString('hex')}`
  await asOwner(POSTGRES, `create database ${name} ${options}`)
  // Nobody's data is lost with the server, and a commit need not wait for the disk.
  await asOwner(POSTGRES, `alter database ${name} set synchronous_commit = off`)
  const client = new pg.Client({ connectionString: urlOf(name).href })
  client.on('error', () => undefined)
  await client.connect()
  return {
    name,
    url: (user) => urlOf(name, user).href,
    run: async (text, values) => {
      const query = { text, rowMode: 'array' as const, ...(values && { values: [...values] }) }
      const result = (await client.query(query)) as pg.QueryArrayResult | pg.QueryArrayResult[]
      return (Array.isArray(result) ? result.at(-1)!.rows : result.rows) as unknown[][]
    },
    drop: async () => {
      await client.end()
      await asOwner(POSTGRES, `drop database if exists ${name} with (force)`)
    },
  }
}

function urlOf(database: string, user = POSTGRES.username): URL {
  const url = new URL(addressOn(POSTGRES, database))
  url.username = user
  return url
}
