/** Builds the demo database: an office's register of wildlife strikes, from public-domain data. */

import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { indexes, views } from './indexes.ts'
import { officeTables } from './office.ts'
import type { Row, Table } from './rows.ts'
import { tables } from './schema.ts'
import { readSources } from './sources.ts'

/**
 * Writes the demo to `file`, replacing an existing file, and creates its folder if missing, which others may
 * not read: the secret comes to lie there. Replaces the file atomically. No process may have the old file open.
 */
export function buildDemo(file: string): void {
  const draft = `${file}.${process.pid}.draft`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  rmSync(draft, { force: true })
  try {
    fill(draft, officeTables(readSources()))
    // SQLite would replay a log that the old file left into the new one.
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function fill(file: string, office: Table[]): void {
  const db = new DatabaseSync(file)
  try {
    // If anything fails, the draft is deleted, so it needs no journal.
    db.exec('PRAGMA journal_mode = OFF; BEGIN')
    db.exec(tables)
    for (const { name, rows } of office) insert(db, name, rows)
    db.exec(indexes)
    db.exec(views)
    db.exec('ANALYZE; COMMIT')
  } finally {
    db.close()
  }
}

function insert(db: DatabaseSync, table: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((column) => `:${column}`)
  const statement = db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${values.join()})`)
  for (const row of rows) statement.run(row)
}
