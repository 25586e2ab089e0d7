/** Opens the database that was named, whatever kind it is. */

import { fileURLToPath } from 'node:url'
import { openMysql } from '../database/mysql/open.ts'
import { openPostgres } from '../database/postgres/open.ts'
import { openSqlite } from '../database/sqlite/open.ts'
import type { RowSource } from '../table/row-source.ts'
import { SettingsError } from './settings.ts'

/**
 * `file:`, `sqlite:` and bare paths are SQLite files, `postgres:` and `postgresql:` and `mysql:` and
 * `mariadb:` are servers; what the address of the first leaves out comes from `env`. Throws one plain sentence for anything else.
 */
export async function openDatabase(
  database: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RowSource> {
  const scheme = /^([a-z][a-z+]+):/i.exec(database)?.[1]?.toLowerCase()
  if (scheme === undefined) return openSqlite(database)
  if (scheme === 'file') return openSqlite(readFileUrl(database))
  if (scheme === 'sqlite') return openSqlite(database.replace(/^sqlite:(\/\/)?/i, ''))
  if (scheme === 'postgres' || scheme === 'postgresql')
    return openPostgres(database, { environment: env })
  if (scheme === 'mysql' || scheme === 'mariadb') return openMysql(database)
  throw new SettingsError(
    `Tablewire opens SQLite files, PostgreSQL, MySQL and MariaDB; [${scheme}:] is none of them.`,
  )
}

/** `file:///…` is a URL; `file:./dev.db`, as other tools write it, is a path. */
export const readFileUrl = (text: string): string =>
  /^file:\/\//i.test(text) ? fileURLToPath(text) : text.slice('file:'.length)
