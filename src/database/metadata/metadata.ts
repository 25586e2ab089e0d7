/** Tablewire's own records: opens the metadata database and its stores. */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CamelCasePlugin, Kysely } from 'kysely'
import { Idempotency } from './idempotency.ts'
import { Links } from './links.ts'
import { migrate } from './migrations.ts'
import { Preferences } from './preferences.ts'
import { Sessions } from './sessions.ts'
import { SharedSettings } from './settings.ts'
import { openSqlite, sqliteDialect } from './sqlite-dialect.ts'
import { sweep } from './sweep.ts'
import type { MetadataTables } from './tables.ts'
import { Users } from './users.ts'

export type MetadataStores = {
  readonly users: Users
  readonly sessions: Sessions
  readonly links: Links
  readonly preferences: Preferences
  readonly idempotency: Idempotency
  readonly settings: SharedSettings
}

export type Metadata = MetadataStores & {
  /**
   * Runs `work` in a serializable transaction. It must use the stores that it receives: any other
   * would wait for the transaction to end.
   */
  transaction<T>(work: (stores: MetadataStores) => Promise<T>): Promise<T>
  /** Removes expired records. Also runs at opening, and every hour. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export type MetadataOptions = {
  /** The time in milliseconds since 1970. Default: the system's. */
  readonly now?: () => number
}

const SWEEP_MS = 60 * 60 * 1000

/**
 * Opens the metadata in an SQLite file (or `:memory:`), creating or migrating it first. Throws one
 * sentence that says what is wrong with the file.
 */
export async function openMetadata(file: string, options: MetadataOptions = {}): Promise<Metadata> {
  const now = options.now ?? Date.now
  try {
    if (file !== ':memory:') await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return await prepare(connect(file), now)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The metadata file “${file}” cannot be used: ${reason}`, { cause })
  }
}

const connect = (file: string): Kysely<MetadataTables> =>
  new Kysely({ dialect: sqliteDialect(openSqlite(file)), plugins: [new CamelCasePlugin()] })

async function prepare(db: Kysely<MetadataTables>, now: () => number): Promise<Metadata> {
  try {
    await migrate(db, now)
    await sweep(db, now())
    return metadataOver(db, now, sweepHourly(db, now))
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** If a sweep fails, the next one removes what it left. Returns a function that stops the timer. */
function sweepHourly(db: Kysely<MetadataTables>, now: () => number): () => void {
  const timer = setInterval(() => void sweep(db, now()).catch(() => {}), SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const metadataOver = (
  db: Kysely<MetadataTables>,
  now: () => number,
  stop: () => void,
): Metadata => ({
  ...storesOver(db, now),
  transaction: (work) =>
    db
      .transaction()
      .setIsolationLevel('serializable')
      .execute((within) => work(storesOver(within, now))),
  sweep: () => sweep(db, now()),
  close() {
    stop()
    return db.destroy()
  },
})

const storesOver = (db: Kysely<MetadataTables>, now: () => number): MetadataStores => ({
  users: new Users(db),
  sessions: new Sessions(db),
  links: new Links(db),
  preferences: new Preferences(db),
  idempotency: new Idempotency(db, now),
  settings: new SharedSettings(db),
})
