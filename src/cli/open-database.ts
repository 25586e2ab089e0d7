/** Opens the database that was named, whatever kind it is. */

import { fileURLToPath } from 'node:url'
import type { RowSource } from '../table/source/row-source.ts'
import { SettingsError } from './settings.ts'

/**
 * `file:`, `sqlite:` and bare paths are SQLite files, `postgres:` and `postgresql:` and `mysql:` and
 * `mariadb:` are servers; what the address of the first leaves out comes from `env`. Throws one plain sentence for anything else.
 */
export async function openDatabase(
  database: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RowSource> {
  const scheme = schemeOf(database)
  switch (scheme) {
    case undefined:
      return openFile(database)
    case 'file':
      return openFile(readFileUrl(database))
    case 'sqlite':
      return openFile(database.replace(/^sqlite:(\/\/)?/i, ''))
    case 'postgres':
    case 'postgresql': {
      const { openPostgres } = await import('../database/postgres/open.ts')
      return openPostgres(database, { environment: env })
    }
    case 'mysql':
    case 'mariadb': {
      const { openMysql } = await import('../database/mysql/open.ts')
      return openMysql(database)
    }
    default:
      throw new SettingsError(
        `Tablewire opens SQLite files, PostgreSQL, MySQL and MariaDB; [${scheme}:] is none of them.`,
      )
  }
}

const openFile = async (path: string): Promise<RowSource> =>
  (await import('../database/sqlite/open.ts')).openSqlite(path)

/** The scheme of an address; `undefined` for a path, which may have a drive or a colon in it. */
export const schemeOf = (text: string): string | undefined =>
  /^(?:([a-z][a-z+]+):|([a-z][a-z\d+.-]+):\/\/)/i
    .exec(text)
    ?.slice(1)
    .find((scheme) => scheme !== undefined)
    ?.toLowerCase()

/** `file:///…` is a URL; `file:./dev.db`, as other tools write it, is a path. */
export const readFileUrl = (text: string): string =>
  /^file:\/\//i.test(text) ? fileURLToPath(text) : text.slice('file:'.length)
