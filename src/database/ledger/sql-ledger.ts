/** The ledger in a database of Tablewire's own tables: reads, settles, forgets. */

import type { Kysely } from 'kysely'
import type { HookLedger } from '../../table/changes/hooks.ts'
import type {
  Entry,
  EntryQuery,
  EntryState,
  Erasure,
  ImageQuery,
  Ledger,
  LedgerSize,
} from '../../table/changes/ledger.ts'
import {
  type ImageChunk,
  type PersonRef,
  type RowImage,
  rowsOfChunk,
} from '../../table/source/ledger-entry.ts'
import type { StepLedger } from '../../table/changes/settle.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Store } from '../metadata/store.ts'
import { eraseRow, forgetUnnamed, readErasures } from './sql-erasures.ts'
import { sqlHooks } from './sql-hooks.ts'
import { bytesOf } from './bytes-of.ts'
import { findEntry, listEntries } from './read-entries.ts'
import { heldTexts, readChunks, readValue } from './read-images.ts'
import { settlingOf } from './settle-entries.ts'
import type { LedgerTables } from './tables.ts'

export type SqlLedgerOptions = {
  /** The time in milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
  /** How long entries are kept, ms. */
  readonly keptMs: number
  /** Whether a file holds nothing else. Default false. */
  readonly isAlone?: boolean
}

export class SqlLedger implements Ledger, StepLedger {
  readonly #db: Kysely<LedgerTables>
  readonly #store: Store<LedgerTables>
  readonly #now: () => number
  readonly #newId: () => string
  readonly #keptMs: number
  readonly #isAlone: boolean
  readonly #settling: ReturnType<typeof settlingOf>
  readonly #timers: NodeJS.Timeout[] = []
  /** Entries that tables are yet to be told of. */
  readonly hooks: HookLedger

  constructor(
    store: Store<LedgerTables>,
    { now, newId, keptMs, isAlone = false }: SqlLedgerOptions,
  ) {
    this.#db = store.db
    this.#store = store
    this.#now = now
    this.#newId = newId
    this.#keptMs = keptMs
    this.#isAlone = isAlone
    this.#settling = settlingOf(store)
    this.hooks = sqlHooks(store, {
      find: (id) => this.find(id),
      images: (id, query) => this.images(id, query),
    })
  }

  find(id: string): Promise<Entry | undefined> {
    return findEntry(this.#db, id)
  }

  list(query: EntryQuery): Promise<Entry[]> {
    return listEntries(this.#db, query)
  }

  chunks(id: string, query: ImageQuery = {}): AsyncGenerator<ImageChunk> {
    return readChunks(this.#db, id, query)
  }

  async *images(id: string, query: ImageQuery = {}): AsyncGenerator<readonly RowImage[]> {
    for await (const chunk of this.chunks(id, query)) yield rowsOfChunk(chunk)
  }

  value(digest: string): Promise<Uint8Array | string | undefined> {
    return readValue(this.#db, digest)
  }

  holding(texts: readonly string[]): Promise<ReadonlySet<string>> {
    return heldTexts(this.#db, texts)
  }

  erase(table: string, key: KeyValues, by: PersonRef): Promise<void> {
    const erasure = { id: this.#newId(), at: this.#now(), byId: by.id, byName: by.name }
    return eraseRow(this.#store, { table, key }, erasure)
  }

  erasures(query: Parameters<Ledger['erasures']>[0]): Promise<Erasure[]> {
    return readErasures(this.#db, query)
  }

  async size(): Promise<LedgerSize> {
    const { changes } = await this.#db
      .selectFrom('tablewireChanges')
      .where('jobId', 'is', null)
      .select(({ fn }) => fn.countAll().as('changes'))
      .executeTakeFirstOrThrow()
    return { changes: Number(changes), bytes: await bytesOf(this.#store, this.#isAlone) }
  }

  pending(before: number): Promise<readonly Entry[]> {
    return this.#settling.pending(before)
  }

  stepEntry(
    job: string,
    number: number,
  ): Promise<Pick<Entry, 'id' | 'state' | 'step'> | undefined> {
    return this.#settling.stepEntry(job, number)
  }

  settle(id: string, state: EntryState): Promise<void> {
    return this.#settling.settle(id, state)
  }

  /** Forgets what is older; returns how many entries that were. */
  async sweep(before: number): Promise<number> {
    const old = (within: Kysely<LedgerTables>) =>
      within.selectFrom('tablewireChanges').select('id').where('at', '<', before)
    return this.#store.transaction(async (within) => {
      for (const table of [
        'tablewireChangeImages',
        'tablewireChangeKeys',
        'tablewireHooks',
      ] as const)
        await within.deleteFrom(table).where('changeId', 'in', old(within)).execute()
      const { numDeletedRows } = await within
        .deleteFrom('tablewireChanges')
        .where('at', '<', before)
        .executeTakeFirstOrThrow()
      if (numDeletedRows > 0n) await forgetUnnamed(within)
      return Number(numDeletedRows)
    })
  }

  /** Forgets what is older than it is kept; returns how many entries that were. */
  forgetOld(): Promise<number> {
    return this.sweep(this.#now() - this.#keptMs)
  }

  /** Does something again and again until the ledger is closed; if it fails, the next time. */
  repeat(work: () => Promise<unknown>, everyMs: number): void {
    const timer = setInterval(() => void work().catch(() => {}), everyMs)
    timer.unref()
    this.#timers.push(timer)
  }

  close(): Promise<void> {
    this.#timers.forEach(clearInterval)
    return this.#store.close()
  }
}
