/** Tables of their own for benchmarks that write: in a new SQLite file, or beside those of the site's server. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openMysql } from '../src/database/mysql/open.ts'
import { openPostgres } from '../src/database/postgres/open.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import { Access } from '../src/table/source/access.ts'
import { everything, type Predicate } from '../src/table/source/predicate.ts'
import type { RowSource } from '../src/table/source/row-source.ts'
import { openRaw, type Raw } from './raw.ts'
import { isServer, type Site } from './site.ts'
import { systemActor } from './system-actor.ts'

export type Scratch = {
  readonly kind: Raw['kind']
  readonly address: string
  readonly source: RowSource
  /** Opens the database once more; the caller closes it. */
  open(): Promise<RowSource>
  /** Runs a statement as the owner; returns its rows as arrays. */
  run(text: string): Promise<unknown[][]>
  /** Access to all columns of a table, and to all rows unless others are given. */
  access(table: string, rows?: Predicate): Promise<Access>
  close(): Promise<void>
}

/** Drops tables of these names before and after. */
export async function openScratch(
  site: Pick<Site, 'database'>,
  tables: readonly string[],
  prepare: (run: Scratch['run'], kind: Raw['kind']) => Promise<void>,
): Promise<Scratch> {
  const { kind, address, run, open, close } = isServer(site) ? await onServer(site) : await inFile()
  const drop = async () => {
    for (const table of tables) await run(`drop table if exists ${table}`)
  }
  await drop()
  await prepare(run, kind)
  const source = await open()
  return {
    ...{ kind, address, run, source, open },
    async access(name, rows = everything) {
      const { tables } = await source.describe()
      const table = tables.find((one) => one.name === name)!
      const names = table.columns.map((column) => column.name)
      const policy = {
        version: '1',
        grant: () => ({
          actions: ['read', 'update'] as const,
          rows,
          readable: names,
          writable: names,
        }),
      }
      return Access.grant(policy, systemActor, table)!
    },
    async close() {
      await source.close()
      await drop()
      await close()
    },
  }
}

type Opened = Pick<Scratch, 'kind' | 'address' | 'run' | 'open' | 'close'>

async function inFile(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-scratch-'))
  const file = join(folder, 'scratch.db')
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  return {
    kind: 'sqlite',
    address: file,
    open: () => openSqlite(file, { readOnly: false }),
    async run(text) {
      const statement = db.prepare(text)
      statement.setReturnArrays(true)
      // Rows are arrays by the line above.
      return statement.all() as unknown as unknown[][]
    },
    async close() {
      db.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function onServer(site: Pick<Site, 'database'>): Promise<Opened> {
  const raw = await openRaw(site)
  const open = raw.kind === 'postgres' ? openPostgres : openMysql
  return {
    ...{ kind: raw.kind, address: site.database, run: (text) => raw.all(text) },
    open: () => open(site.database, { readOnly: false }),
    close: () => raw.close(),
  }
}
