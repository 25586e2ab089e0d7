/** A database of Tablewire's own tables: opened by its address, migrated, and swept. */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CamelCasePlugin, Kysely } from 'kysely'
import type { OwnWrites } from '../../table/source/own-tables.ts'
import { type Environment, sqlitePath } from '../engines.ts'
import type { Engine } from './engine.ts'
import { migrate, type Migrations } from './migrate.ts'

export type Store<Tables> = {
  readonly db: Kysely<Tables>
  readonly engine: Engine['name']
  /** Where it is, for people; contains no password. */
  readonly place: string
  /** What the source of the data leaves out of its version. */
  readonly writes: OwnWrites
  /** Runs `work` in a serializable transaction, and again if another one was in its way. */
  transaction<T>(work: (within: Kysely<Tables>) => Promise<T>): Promise<T>
  sweep(now: number): Promise<void>
  close(): Promise<void>
}

export type StoreOptions = {
  /** The time in milliseconds since 1970. Default: the system's. */
  readonly now?: (() => number) | undefined
  /** Values for what an address leaves out, such as `PGPASSWORD`. */
  readonly environment?: Environment | undefined
  /** Whether it is the database of the data, so that a file's mode is not Tablewire's to change. */
  readonly isBeside?: boolean | undefined
  /** Time limit of a statement, of a transaction, and of waiting for a connection to a server, ms. */
  readonly timeoutMs?: number | undefined
  /** Called before the first tables are created. */
  readonly creating?: ((place: string) => void) | undefined
}

/** How often a transaction is run again where others are in its way. */
const ATTEMPTS = 10

/**
 * Opens `postgres://…`, `mysql://…`, `mariadb://…`, or an SQLite file by its path (or `:memory:`), and
 * runs the pending migrations. Throws what is wrong.
 */
export async function openStore<Tables>(
  address: string,
  migrations: Migrations,
  options: StoreOptions = {},
): Promise<Store<Tables>> {
  const engine = await openEngine(address, options)
  const config = { dialect: engine.dialect, plugins: [new CamelCasePlugin()] }
  const base = new Kysely<object>(config)
  try {
    const { now = Date.now, creating } = options
    await migrate(base, engine, migrations, { now, creating: () => creating?.(engine.place) })
    engine.ready?.()
    return storeOver(base, new Kysely<Tables>(config), engine)
  } catch (error) {
    await base.destroy()
    throw error
  }
}

/** The kind of database that an address names. */
export const engineAt = (address: string): Engine['name'] =>
  /^postgres(?:ql)?:/i.test(address)
    ? 'postgres'
    : /^(?:mysql|mariadb):/i.test(address)
      ? 'mysql'
      : 'sqlite'

async function openEngine(address: string, options: StoreOptions): Promise<Engine> {
  switch (engineAt(address)) {
    case 'postgres':
      return (await import('./postgres-engine.ts')).openPostgres(address, options)
    case 'mysql':
      return (await import('./mysql-engine.ts')).openMysql(address, options)
    case 'sqlite':
      return openFile(sqlitePath(address), options.isBeside ?? false)
  }
}

async function openFile(file: string, isBeside: boolean): Promise<Engine> {
  const { openSqlite } = await import('./sqlite-engine.ts')
  if (file !== ':memory:' && !isBeside) await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return openSqlite(file, isBeside)
}

/** Both are on the same connections; only one knows what tables there are. */
function storeOver<Tables>(
  base: Kysely<object>,
  db: Kysely<Tables>,
  engine: Engine,
): Store<Tables> {
  const once = <T>(work: (within: Kysely<Tables>) => Promise<T>): Promise<T> =>
    db.transaction().setIsolationLevel('serializable').execute(work)
  return {
    db,
    engine: engine.name,
    place: engine.place,
    writes: engine.writes,
    async transaction(work) {
      for (let attempt = 1; ; attempt++)
        try {
          return await once(work)
        } catch (error) {
          if (attempt === ATTEMPTS || !engine.isRolledBack(error)) throw error
        }
    },
    sweep: async (now) => engine.sweep?.(base, now),
    async close() {
      await db.destroy()
      await base.destroy()
    },
  }
}
