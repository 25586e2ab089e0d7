/** Copies Tablewire's own records from its files into another database. */

import { existsSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import type { Migrations } from './migrate.ts'
import { openStore, type Store, type StoreOptions } from './store.ts'

/** A file, and the lists that made its tables. */
export type MovedFile = { readonly file: string; readonly lists: readonly Migrations[] }

export type MoveTarget = StoreOptions & { readonly address: string }

export type Moved = { readonly rows: number; readonly place: string }

/** A row may be of any table. */
type AnyTables = Record<string, Record<string, unknown>>

/** A history may be long. */
const TIMEOUT_MS = 60 * 60 * 1000
/** Most rows and characters of a statement. */
const ROWS = 100
const LENGTH = 1_000_000

/**
 * Copies all of it in one transaction; a file that is missing is left out. Throws if the target has
 * records of its own. Nobody may write to the files meanwhile.
 */
export async function moveRecords(
  files: readonly MovedFile[],
  { address, ...options }: MoveTarget,
): Promise<Moved> {
  const opened: Store<AnyTables>[] = []
  const open = async (at: string, migrations: Migrations, how: StoreOptions) => {
    const store = await openStore<AnyTables>(at, migrations, how)
    opened.push(store)
    return store
  }
  try {
    const { now } = options
    const moves: Move[] = []
    for (const { file, lists } of files) {
      if (!existsSync(file)) continue
      let both: Pick<Move, 'source' | 'target'> | undefined
      for (const list of lists)
        both = {
          source: await open(file, list, { now }),
          target: await open(address, list, { ...options, timeoutMs: TIMEOUT_MS }),
        }
      if (both) moves.push({ ...both, names: await tableNames(both.source, lists) })
    }
    const [target] = moves.map((move) => move.target)
    if (!target) throw new Error('The data folder has no records.')
    const rows = await target.transaction((within) => copyAll(moves, within))
    return { rows, place: target.place }
  } finally {
    await Promise.all(opened.map((store) => store.close()))
  }
}

type Move = {
  readonly source: Store<AnyTables>
  readonly target: Store<AnyTables>
  readonly names: readonly string[]
}

/** In the order in which they were made, so that those that others refer to come first. */
async function tableNames(
  { db }: Store<AnyTables>,
  lists: readonly Migrations[],
): Promise<string[]> {
  const kept = sql.join(lists.map(({ keptIn }) => keptIn))
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema
    where type = 'table' and name like 'tablewire\\_%' escape '\\' and name not in (${kept})
    order by rowid`.execute(db)
  return rows.map(({ name }) => name)
}

async function copyAll(moves: readonly Move[], target: Kysely<AnyTables>): Promise<number> {
  for (const name of moves.flatMap(({ names }) => names)) await refuseRows(target, name)
  let rows = 0
  for (const { source, names } of moves)
    for (const name of names) rows += await copy(name, source.db, target)
  return rows
}

/** Those that its migrations make are there from the start. */
const MADE = 'tablewire_roles'

async function refuseRows(target: Kysely<AnyTables>, name: string): Promise<void> {
  if (name === MADE) await target.deleteFrom(name).execute()
  const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target)
  if (rows.length === 0) return
  throw new Error(`It has records of its own in ${name}, and is left as it is.`)
}

async function copy(
  name: string,
  source: Kysely<AnyTables>,
  target: Kysely<AnyTables>,
): Promise<number> {
  let [count, length] = [0, 0]
  let some: Record<string, unknown>[] = []
  const write = async (): Promise<void> => {
    if (some.length > 0) await target.insertInto(name).values(some).execute()
    count += some.length
    ;[some, length] = [[], 0]
  }
  for await (const row of source.selectFrom(name).selectAll().stream()) {
    some.push(row)
    length += lengthOf(row)
    if (some.length === ROWS || length > LENGTH) await write()
  }
  await write()
  return count
}

const lengthOf = (row: Record<string, unknown>): number =>
  Object.values(row).reduce<number>(
    (sum, value) =>
      sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  )
