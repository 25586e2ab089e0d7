/** Empty databases of every engine for Tablewire's own tables. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe } from 'vitest'
import { createDatabase as createMysql, describeMysql } from './mysql-server.ts'
import { createDatabase as createPostgres, describePostgres } from './postgres-server.ts'

export type MetadataPlace = {
  readonly engine: 'sqlite' | 'postgres' | 'mysql'
  /** Its address, as people write it. */
  readonly address: string
  /** Runs a statement beside Tablewire, and returns its rows. */
  run(text: string): Promise<unknown[][]>
  drop(): Promise<void>
}

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL or MariaDB' } as const

type Suite = (place: () => MetadataPlace) => void

/** Declares a suite for each engine, or for some, with a database of its own. */
export function describeMetadata(
  name: string,
  suite: Suite,
  engines: readonly MetadataPlace['engine'][] = ['sqlite', 'postgres', 'mysql'],
): void {
  const declare = (
    of: typeof describe | typeof describePostgres,
    open: OpenPlace,
    on: MetadataPlace['engine'],
  ) =>
    engines.includes(on) &&
    of(`${name}, ${NAMES[on]}`, () => {
      let place: MetadataPlace
      beforeAll(async () => void (place = await open()))
      afterAll(() => place.drop())
      suite(() => place)
    })
  declare(describe, openSqlitePlace, 'sqlite')
  declare(describePostgres, openPostgresPlace, 'postgres')
  declare(describeMysql, openMysqlPlace, 'mysql')
}

type OpenPlace = () => Promise<MetadataPlace>

async function openSqlitePlace(): Promise<MetadataPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-metadata-'))
  const address = join(folder, 'meta.sqlite')
  return {
    engine: 'sqlite',
    address,
    async run(text) {
      const database = new DatabaseSync(address, { timeout: 5000 })
      try {
        const statement = database.prepare(text)
        return statement.all().map((row) => Object.values(row))
      } finally {
        database.close()
      }
    },
    drop: async () => rmSync(folder, { recursive: true }),
  }
}

async function openPostgresPlace(): Promise<MetadataPlace> {
  const { url, run, drop } = await createPostgres()
  return { engine: 'postgres', address: url(), run, drop }
}

async function openMysqlPlace(): Promise<MetadataPlace> {
  const { url, run, drop } = await createMysql()
  return { engine: 'mysql', address: url(), run, drop }
}
