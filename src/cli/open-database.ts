/** Opens the database that was named, whatever kind it is. */

import { fileURLToPath } from 'node:url'
import { openSqlite } from '../database/sqlite/open.ts'
import type { RowSource } from '../table/row-source.ts'
import { SettingsError } from './settings.ts'

/** `file:`, `sqlite:` and bare paths are SQLite files. Throws one plain sentence for anything else. */
export async function openDatabase(database: string): Promise<RowSource> {
  const scheme = /^([a-z][a-z+]+):/i.exec(database)?.[1]?.toLowerCase()
  if (scheme === undefined) return openSqlite(database)
  if (scheme === 'file') return openSqlite(readFileUrl(database))
  if (scheme === 'sqlite') return openSqlite(database.replace(/^sqlite:(\/\/)?/i, ''))
  throw new SettingsError(
    `Tablewire opens SQLite files; [${scheme}:] databases are not supported yet.`,
  )
}

/** `file:///…` is a URL; `file:./dev.db`, as other tools write it, is a path. */
export const readFileUrl = (text: string): string =>
  /^file:\/\//i.test(text) ? fileURLToPath(text) : text.slice('file:'.length)
