/** The ledger in a database of Tablewire's own tables: reads, settles, forgets. */

import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { parseJson } from '../../protocol/json.ts'
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
import type { EntryStep, PersonRef, RowImage } from '../../table/source/ledger-entry.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Store } from '../metadata/store.ts'
import { eraseRow, forgetUnnamed, readErasures } from './sql-erasures.ts'
import { sqlHooks } from './sql-hooks.ts'
import { bytesOf } from './bytes-of.ts'
import { firstPlaceOf } from './entry-writer.ts'
import { decodeImages, rowKeyOf } from './image-codec.ts'
import type { ChangeRow, LedgerTables } from './tables.ts'

const recorded = v.object({
  tables: v.array(
    v.object({
      ...{ table: v.string(), inserted: v.number(), updated: v.number(), deleted: v.number() },
    }),
  ),
  lacks: v.array(v.object({ table: v.string(), columns: v.array(v.string()), rows: v.number() })),
})

const stepSchema = v.object({
  ...{ job: v.string(), fence: v.number(), number: v.number(), checkpoint: v.unknown() },
  ...{ done: v.number(), total: v.nullable(v.number()), at: v.number() },
})

/** Chunks of images that one query looks through. */
const SEARCHED_AT_ONCE = 100

/** A byte order mark belongs to the value. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

export type SqlLedgerOptions = {
  /** The time in milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
  /** How long entries are kept, ms. */
  readonly keptMs: number
  /** Whether a file holds nothing else. Default false. */
  readonly isAlone?: boolean
}

export class SqlLedger implements Ledger {
  readonly #db: Kysely<LedgerTables>
  readonly #store: Store<LedgerTables>
  readonly #now: () => number
  readonly #newId: () => string
  readonly #keptMs: number
  readonly #isAlone: boolean
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
    this.hooks = sqlHooks(store, {
      find: (id) => this.find(id),
      images: (id, query) => this.images(id, query),
    })
  }

  async find(id: string): Promise<Entry | undefined> {
    const row = await this.#db
      .selectFrom('tablewireChanges')
      .selectAll()
      .where('id', '=', id)
      .where('state', '!=', 'void')
      .executeTakeFirst()
    if (!row) return undefined
    const [entry] = await this.#entriesOf([row])
    return entry
  }

  async list({
    by,
    table,
    key,
    keys,
    door,
    since,
    until,
    after,
    size,
  }: EntryQuery): Promise<Entry[]> {
    let query = this.#db
      .selectFrom('tablewireChanges as change')
      .selectAll()
      .where('state', '!=', 'void')
      .where('jobId', 'is', null)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(size)
    if (by !== undefined) query = query.where('byId', '=', by)
    if (door !== undefined) query = query.where('door', '=', door)
    if (since !== undefined) query = query.where('at', '>=', since)
    if (until !== undefined) query = query.where('at', '<', until)
    if (after)
      query = query
        .where('at', '<=', after.at)
        .where(({ or, eb }) => or([eb('at', '<', after.at), eb('id', '<', after.id)]))
    const rowKeys = (keys ?? (key ? [key] : [])).map(rowKeyOf)
    if (table !== undefined && rowKeys.length > 0)
      query = query.where('id', 'in', (found) =>
        found
          .selectFrom('tablewireChangeKeys')
          .select('changeId')
          .where('rowKey', 'in', rowKeys)
          .where('tableName', '=', table),
      )
    else if (table !== undefined)
      query = query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('tablewireChangeImages as image')
            .select('image.place')
            .where('image.tableName', '=', table)
            .whereRef('image.changeId', '=', 'change.id'),
        ),
      )
    return this.#entriesOf(await query.execute())
  }

  async *images(id: string, { table, key }: ImageQuery = {}): AsyncGenerator<RowImage[]> {
    const wanted = key && rowKeyOf(key)
    const { whole, from, until } = await this.#placesOf(id)
    for (let place = from - 1; ;) {
      const row = await this.#chunkAfter(whole, place, table)
      if (!row || Number(row.place) >= until) return
      place = Number(row.place)
      const images = decodeImages(row.tableName, row.images)
      const some =
        wanted === undefined ? images : images.filter((one) => rowKeyOf(one.key) === wanted)
      if (some.length > 0) yield some
    }
  }

  async value(digest: string): Promise<Uint8Array | string | undefined> {
    const row = await this.#db
      .selectFrom('tablewireChangeValues')
      .selectAll()
      .where('digest', '=', digest)
      .executeTakeFirst()
    if (!row) return undefined
    const bytes = new Uint8Array(row.bytes)
    return Number(row.isText) === 1 ? UTF8.decode(bytes) : bytes
  }

  /**
   * Those of the texts that values of rows held, whole or as a part; values that stand apart are not looked into. It
   * reads few chunks at a time, so that nobody waits for it.
   */
  async holding(texts: readonly string[]): Promise<ReadonlySet<string>> {
    const written = texts.map((text) => [text, JSON.stringify(text).slice(1, -1)] as const)
    const found = new Set<string>()
    for (let after = ''; ;) {
      const chunks = await this.#db
        .selectFrom('tablewireChangeImages')
        .select('changeId')
        .where('changeId', '>', after)
        .orderBy('changeId')
        .limit(SEARCHED_AT_ONCE)
        .execute()
      const last = chunks.at(-1)?.changeId
      if (last === undefined) return found
      const some = await this.#db
        .selectFrom('tablewireChangeImages')
        .select('images')
        .where('changeId', '>', after)
        .where('changeId', '<=', last)
        .where(({ or, eb }) => or(written.map(([, json]) => eb('images', 'like', `%${json}%`))))
        .execute()
      for (const [text, json] of written)
        if (some.some(({ images }) => images.includes(json))) found.add(text)
      after = last
    }
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

  /** Entries that were written ahead and whose outcome nobody has told, the oldest first. */
  async pending(before: number): Promise<Entry[]> {
    const rows = await this.#db
      .selectFrom('tablewireChanges')
      .selectAll()
      .where('state', '=', 'pending')
      .where('at', '<', before)
      .orderBy('at')
      .limit(1000)
      .execute()
    return this.#entriesOf(rows)
  }

  /** The entry of a job's step, unless it is known that nothing was written. */
  async stepEntry(
    job: string,
    number: number,
  ): Promise<Pick<Entry, 'id' | 'state' | 'step'> | undefined> {
    const row = await this.#db
      .selectFrom('tablewireChanges')
      .select(['id', 'state', 'step'])
      .where('jobId', '=', job)
      .where('jobStep', '=', number)
      .executeTakeFirst()
    return row && { id: row.id, state: row.state, ...stepOf(row) }
  }

  /** Unless whoever has written the change has told its outcome meanwhile. */
  async settle(id: string, state: EntryState): Promise<void> {
    if (state === 'void') await this.#forgetStep(id)
    await this.#db
      .updateTable('tablewireChanges')
      // A step of a job that was not written may be tried again.
      .set({ state, ...(state === 'void' && { jobStep: null }) })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .execute()
  }

  /** The images of a job's step that was not written. */
  async #forgetStep(id: string): Promise<void> {
    const { whole, from, until } = await this.#placesOf(id)
    if (whole === id) return
    await this.#db
      .deleteFrom('tablewireChangeImages')
      .where('changeId', '=', whole)
      .where('place', '>=', from)
      .where('place', '<', until)
      .execute()
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

  /** Images of a job's step stand in the job's entry. */
  async #placesOf(id: string): Promise<{ whole: string; from: number; until: number }> {
    const row = await this.#db
      .selectFrom('tablewireChanges')
      .select(['jobId', 'step'])
      .where('id', '=', id)
      .executeTakeFirst()
    const { step } = row ? stepOf(row) : {}
    if (!row || row.jobId === null || !step) return { whole: id, from: 0, until: Infinity }
    const [from, until] = [firstPlaceOf(step.number), firstPlaceOf(step.number + 1)]
    return { whole: row.jobId, from, until }
  }

  /** What the parts of jobs' entries say, by entry. */
  async #partsOf(ids: readonly string[]): Promise<Map<string, ChangeRow[]>> {
    const parts = await this.#db
      .selectFrom('tablewireChanges')
      .selectAll()
      .where('jobId', 'in', ids)
      .where('state', '!=', 'void')
      .orderBy('jobStep')
      .execute()
    return Map.groupBy(parts, ({ jobId }) => jobId ?? '')
  }

  #chunkAfter(id: string, place: number, table: string | undefined) {
    const query = this.#db
      .selectFrom('tablewireChangeImages')
      .selectAll()
      .where('changeId', '=', id)
      .where('place', '>', place)
      .orderBy('place')
      .limit(1)
    return (table === undefined ? query : query.where('tableName', '=', table)).executeTakeFirst()
  }

  async #entriesOf(rows: readonly ChangeRow[]): Promise<Entry[]> {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const undoing = await this.#db
      .selectFrom('tablewireChanges')
      .select(['id', 'undoes'])
      .where('undoes', 'in', ids)
      .where('jobId', 'is', null)
      .where('state', '=', 'done')
      .orderBy('at')
      .execute()
    const of = Map.groupBy(undoing, ({ undoes }) => undoes)
    const parts = await this.#partsOf(ids)
    return rows.map((row) => {
      const undoneBy = (of.get(row.id) ?? []).map(({ id }) => id)
      const entry = entryOf(row, undoneBy)
      const some = (parts.get(row.id) ?? []).map((part) => entryOf(part, []))
      return some.length === 0 ? entry : { ...entry, ...together(some) }
    })
  }
}

function stepOf({ step }: Pick<ChangeRow, 'step'>): { readonly step?: EntryStep } {
  if (step === null) return {}
  const { checkpoint, ...rest } = v.parse(stepSchema, JSON.parse(step))
  return { step: { ...rest, checkpoint: parseJson(JSON.stringify(checkpoint)) } }
}

/** What a job's steps say as one entry. */
function together(parts: readonly Entry[]): Pick<Entry, 'state' | 'tables' | 'lacks'> {
  const tables = [
    ...Map.groupBy(
      parts.flatMap((part) => part.tables),
      ({ table }) => table,
    ),
  ]
  const sum = (of: Entry['tables'], what: 'inserted' | 'updated' | 'deleted'): number =>
    of.reduce((total, counts) => total + counts[what], 0)
  const states = new Set(parts.map(({ state }) => state))
  return {
    state: states.has('uncertain') ? 'uncertain' : states.has('pending') ? 'pending' : 'done',
    tables: tables.map(([table, of]) => ({
      table,
      inserted: sum(of, 'inserted'),
      updated: sum(of, 'updated'),
      deleted: sum(of, 'deleted'),
    })),
    lacks: parts.flatMap(({ lacks }) => lacks),
  }
}

function entryOf(row: ChangeRow, undoneBy: readonly string[]): Entry {
  const { id, byId, byName, behalfId, behalfName, door, undoes, state, hook } = row
  return {
    ...{ id, at: Number(row.at), by: { id: byId, name: byName }, door, state, hook, undoneBy },
    ...(behalfId !== null && { behalf: { id: behalfId, name: behalfName ?? '' } }),
    ...(undoes !== null && { undoes }),
    ...v.parse(recorded, JSON.parse(row.recorded)),
  }
}
