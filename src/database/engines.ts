/** The supported engines: the schemes of their addresses, and how each opens a database. */

import { fileURLToPath } from 'node:url'
import type { RowSource } from '../table/source/row-source.ts'

/** One kind of database. Its code is loaded when the first of its databases is opened. */
export type DatabaseEngine = {
  /** Its name for people. */
  readonly name: string
  /** The schemes of its addresses. */
  readonly schemes: readonly string[]
  /** Opens a database by its full address; `environment` may fill in what that leaves out. */
  open(address: string, environment: Environment): Promise<RowSource>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** An address without a scheme is a path, and belongs to the first. */
export const ENGINES: readonly [DatabaseEngine, ...DatabaseEngine[]] = [
  {
    name: 'SQLite files',
    schemes: ['sqlite', 'file'],
    open: async (address) => (await import('./sqlite/open.ts')).openSqlite(sqlitePath(address)),
  },
  {
    name: 'PostgreSQL',
    schemes: ['postgres', 'postgresql'],
    open: async (address, environment) =>
      (await import('./postgres/open.ts')).openPostgres(address, { environment }),
  },
  {
    name: 'MySQL and MariaDB',
    schemes: ['mysql', 'mariadb'],
    open: async (address) => (await import('./mysql/open.ts')).openMysql(address),
  },
]

/** The engine whose addresses have this scheme; a path has none. */
export const engineOf = (scheme: string | undefined): DatabaseEngine | undefined =>
  scheme === undefined ? ENGINES[0] : ENGINES.find(({ schemes }) => schemes.includes(scheme))

/** The path in the address of an SQLite file. */
export function sqlitePath(address: string): string {
  if (/^file:/i.test(address)) return readFileUrl(address)
  return address.replace(/^sqlite:(\/\/)?/i, '')
}

/** `file:///…` is a URL; `file:./dev.db`, as other tools write it, is a path. */
export const readFileUrl = (text: string): string =>
  /^file:\/\//i.test(text) ? fileURLToPath(text) : text.slice('file:'.length)
