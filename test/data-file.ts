/** A SQLite file of a test's own, which it writes and reads beside what it tests. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { openSqlite, type SqliteOptions } from '../src/database/sqlite/open.ts'
import type { RowSource } from '../src/table/source/row-source.ts'

type Row = Record<string, SQLOutputValue>

export type DataFile = {
  /** The folder that holds nothing else; it goes with the file. */
  readonly folder: string
  readonly path: string
  /** Runs statements. */
  run(sql: string): void
  rows(sql: string): Row[]
  /** The first row; `undefined` if there is none. */
  row(sql: string): Row | undefined
  remove(): void
}

function using<Found>(path: string, work: (db: DatabaseSync) => Found): Found {
  const db = new DatabaseSync(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

export const rowsIn = (path: string, sql: string): Row[] =>
  using(path, (db) => db.prepare(sql).all()).map((row) => ({ ...row }))

/** `setUp`: statements that make its tables. */
export function makeDataFile(setUp: string): DataFile {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-data-'))
  const path = join(folder, 'data.sqlite')
  const run = (sql: string): void => using(path, (db) => db.exec(sql))
  run(setUp)
  return {
    ...{ folder, path, run },
    rows: (sql) => rowsIn(path, sql),
    row: (sql) => rowsIn(path, sql)[0],
    remove: () => rmSync(folder, { recursive: true }),
  }
}

export type OpenDataFile = DataFile & {
  readonly source: RowSource
  close(): Promise<void>
}

/** The same, and what reads and writes its rows as the admin does. */
export async function openDataFile(
  setUp: string,
  options: SqliteOptions = { readOnly: false },
): Promise<OpenDataFile> {
  const file = makeDataFile(setUp)
  const source = await openSqlite(file.path, options)
  return {
    ...{ ...file, source },
    async close() {
      await source.close()
      file.remove()
    },
  }
}
