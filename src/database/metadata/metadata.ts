/** Tablewire's own records: opens their database and its stores. */

import type { Kysely } from 'kysely'
import { CorrectionTable } from './corrections.ts'
import { Identities } from './identities.ts'
import { Idempotency } from './idempotency.ts'
import { Limits } from './limits.ts'
import { Links } from './links.ts'
import { MIGRATIONS } from './migrations.ts'
import { PeopleChanges } from './people-changes.ts'
import { PlanTable } from './plans.ts'
import { Preferences } from './preferences.ts'
import { SecondFactorTable } from './second-factors.ts'
import { SavedViewTable } from './saved-views.ts'
import { Sessions } from './sessions.ts'
import { SharedSettings } from './settings.ts'
import { engineAt, openStore, type Store, type StoreOptions } from './store.ts'
import { sweep } from './sweep.ts'
import type { MetadataTables } from './tables.ts'
import { FileTable } from './files.ts'
import { UploadTable } from './uploads.ts'
import { Users } from './users.ts'

export type MetadataStores = {
  readonly users: Users
  readonly sessions: Sessions
  readonly links: Links
  readonly limits: Limits
  readonly preferences: Preferences
  readonly idempotency: Idempotency
  readonly settings: SharedSettings
  readonly uploads: UploadTable
  readonly peopleChanges: PeopleChanges
  readonly files: FileTable
  readonly secondFactors: SecondFactorTable
  readonly plans: PlanTable
  readonly identities: Identities
  readonly savedViews: SavedViewTable
  readonly corrections: CorrectionTable
}

export type Metadata = MetadataStores &
  Pick<Store<MetadataTables>, 'engine' | 'place' | 'writes'> & {
    /**
     * Runs `work` in a serializable transaction, and again if another one was in its way. It must use
     * the stores that it receives: in a file, any other would wait for the transaction to end.
     */
    transaction<T>(work: (stores: MetadataStores) => Promise<T>): Promise<T>
    /** Removes expired records. Also runs at opening, and every hour. */
    sweep(): Promise<void>
    close(): Promise<void>
  }

export type MetadataOptions = StoreOptions & {
  /** How long changes of who may come in, and of corrections, are kept, ms. Default: for ever. */
  readonly historyMs?: number | undefined
}

const SWEEP_MS = 60 * 60 * 1000

/**
 * Opens the metadata by an address as `openStore` takes it, creating or migrating its tables first.
 * Throws one sentence that says what is wrong.
 */
export async function openMetadata(
  address: string,
  options: MetadataOptions = {},
): Promise<Metadata> {
  const now = options.now ?? Date.now
  try {
    const store = await openStore<MetadataTables>(address, MIGRATIONS, options)
    return await prepare(store, now, options.historyMs)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // An address may hold a password.
    const what = engineAt(address) === 'sqlite' ? `file “${address}”` : 'database'
    throw new Error(`The metadata ${what} cannot be used: ${reason}`, { cause })
  }
}

async function prepare(
  store: Store<MetadataTables>,
  now: () => number,
  historyMs: number | undefined,
): Promise<Metadata> {
  const sweepOnce = () => sweep(store, now(), historyMs)
  try {
    await sweepOnce()
    return metadataOver(store, now, sweepOnce)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** If a sweep fails, the next one removes what it left. Returns a function that stops the timer. */
function hourly(task: () => Promise<void>): () => void {
  const timer = setInterval(() => void task().catch(() => {}), SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function metadataOver(
  store: Store<MetadataTables>,
  now: () => number,
  sweepOnce: () => Promise<void>,
): Metadata {
  const stop = hourly(sweepOnce)
  return {
    ...storesOver(store.db, now),
    engine: store.engine,
    place: store.place,
    writes: store.writes,
    transaction: (work) => store.transaction((within) => work(storesOver(within, now))),
    sweep: sweepOnce,
    close() {
      stop()
      return store.close()
    },
  }
}

const storesOver = (db: Kysely<MetadataTables>, now: () => number): MetadataStores => ({
  users: new Users(db),
  sessions: new Sessions(db),
  links: new Links(db),
  limits: new Limits(db, now),
  preferences: new Preferences(db),
  idempotency: new Idempotency(db, now),
  settings: new SharedSettings(db),
  uploads: new UploadTable(db, now),
  peopleChanges: new PeopleChanges(db),
  files: new FileTable(db),
  secondFactors: new SecondFactorTable(db),
  plans: new PlanTable(db, now),
  identities: new Identities(db),
  savedViews: new SavedViewTable(db),
  corrections: new CorrectionTable(db),
})
