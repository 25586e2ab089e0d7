/** Sealed plans: what is to be written, and the keys of the rows in compressed chunks. */

import type { ExpressionBuilder, Kysely } from 'kysely'
import type {
  HeldPlan,
  NewPlan,
  PlanBounds,
  PlanRecord,
  PlanStore,
} from '../../table/plans/plan-store.ts'
import type { LeftRow } from '../../table/plans/left-rows.ts'
import type { PersonRef } from '../../table/source/ledger-entry.ts'
import type { DigestedRows } from '../../table/source/row-digest.ts'
import { packLeft, packRows, unpackLeft, unpackRows } from './key-chunks.ts'
import type { MetadataTables, PlanRow } from './tables.ts'

export class PlanTable implements PlanStore {
  readonly #db: Kysely<MetadataTables>
  readonly #now: () => number

  constructor(db: Kysely<MetadataTables>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  async addChunk(planId: string, place: number, rows: DigestedRows): Promise<number> {
    const bytes = await packRows(rows)
    await this.#db
      .insertInto('tablewirePlanChunks')
      .values({ planId, place, bytes, at: this.#now() })
      .execute()
    return bytes.byteLength
  }

  async add(plan: NewPlan, bounds: PlanBounds): Promise<void> {
    const { by, behalf } = plan
    await this.#makeRoom(plan, bounds)
    await this.#db
      .insertInto('tablewirePlans')
      .values({
        ...{ id: plan.id, tableName: plan.table, at: plan.at, endsAt: plan.endsAt },
        ...{ byId: by.id, byName: by.name },
        ...{ behalfId: behalf?.id ?? null, behalfName: behalf?.name ?? null },
        ...{ approvedId: null, approvedName: null, claimedAt: null },
        ...{ rowCount: plan.rows, bytes: plan.bytes, content: plan.content },
        ...{ state: 'sealed', outcome: null },
      })
      .execute()
  }

  /** A plan that is being written stays, whatever it takes. */
  async #makeRoom({ by, bytes }: NewPlan, bounds: PlanBounds): Promise<void> {
    const others = await this.#db
      .selectFrom('tablewirePlans')
      .select(['id', 'bytes'])
      .where('byId', '=', by.id)
      .where('state', '=', 'sealed')
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    let left = bounds.bytes - bytes
    for (const [at, other] of others.entries()) {
      left -= Number(other.bytes)
      if (left < 0 || at + 1 >= bounds.plans) await this.forget(other.id)
    }
  }

  async find(id: string): Promise<PlanRecord | undefined> {
    const row = await this.#db
      .selectFrom('tablewirePlans')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && recordOf(row)
  }

  async *chunks(id: string): AsyncGenerator<DigestedRows> {
    for (let place = 0; ; place++) {
      const row = await this.#db
        .selectFrom('tablewirePlanChunks')
        .select('bytes')
        .where('planId', '=', id)
        .where('place', '=', place)
        .executeTakeFirst()
      if (!row) return
      yield await unpackRows(row.bytes)
    }
  }

  async claim(id: string, approved: PersonRef): Promise<number | undefined> {
    const { id: approvedId, name: approvedName } = approved
    const claimedAt = this.#now()
    const claimed = { state: 'writing', approvedId, approvedName, claimedAt } as const
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewirePlans')
      .set(claimed)
      .where('id', '=', id)
      .where('state', '=', 'sealed')
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n ? claimedAt : undefined
  }

  async release({ id, claimedAt }: HeldPlan): Promise<void> {
    await this.#db
      .updateTable('tablewirePlans')
      .set({ state: 'sealed', approvedId: null, approvedName: null, claimedAt: null })
      .where('id', '=', id)
      .where('state', '=', 'writing')
      .where('claimedAt', '=', claimedAt)
      .execute()
  }

  async hand(id: string, outcome: string, endsAt: number): Promise<void> {
    await this.#db
      .updateTable('tablewirePlans')
      .set({ outcome, endsAt })
      .where('id', '=', id)
      .where('state', '=', 'writing')
      .execute()
  }

  async end({ id, claimedAt }: HeldPlan, outcome: string, endsAt: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tablewirePlans')
      .set({ state: 'ended', outcome, endsAt, bytes: 0 })
      .where('id', '=', id)
      .where('state', '=', 'writing')
      .where('claimedAt', '=', claimedAt)
      .executeTakeFirstOrThrow()
    const isHeld = numUpdatedRows === 1n
    if (isHeld) await this.#forgetChunks(id)
    return isHeld
  }

  async forget(id: string): Promise<void> {
    await this.#db
      .deleteFrom('tablewirePlans')
      .where('id', '=', id)
      .where('state', '=', 'sealed')
      .execute()
    // Somebody may have begun to write it.
    if (await this.find(id)) return
    await this.#forgetChunks(id)
    await this.dropLeft(id)
  }

  async keepLeft(planId: string, place: number, rows: readonly LeftRow[]): Promise<void> {
    const bytes = await packLeft(rows)
    await this.#db
      .deleteFrom('tablewireLeftChunks')
      .where('planId', '=', planId)
      .where('place', '=', place)
      .execute()
    await this.#db
      .insertInto('tablewireLeftChunks')
      .values({ planId, place, bytes, at: this.#now() })
      .execute()
  }

  async dropLeft(planId: string, from?: number): Promise<void> {
    const all = this.#db.deleteFrom('tablewireLeftChunks').where('planId', '=', planId)
    await (from === undefined ? all : all.where('place', '>=', from)).execute()
  }

  async left(planId: string): Promise<LeftRow[]> {
    const chunks = await this.#db
      .selectFrom('tablewireLeftChunks')
      .select('bytes')
      .where('planId', '=', planId)
      .orderBy('place')
      .execute()
    return (await Promise.all(chunks.map(({ bytes }) => unpackLeft(bytes)))).flat()
  }

  async #forgetChunks(id: string): Promise<void> {
    await this.#db.deleteFrom('tablewirePlanChunks').where('planId', '=', id).execute()
  }
}

const personOf = (id: string | null, name: string | null): PersonRef | null =>
  id === null ? null : { id, name: name ?? '' }

const recordOf = (row: PlanRow): PlanRecord => ({
  ...{ id: row.id, table: row.tableName, state: row.state },
  by: { id: row.byId, name: row.byName },
  behalf: personOf(row.behalfId, row.behalfName),
  approved: personOf(row.approvedId, row.approvedName),
  ...{ at: Number(row.at), endsAt: Number(row.endsAt), rows: Number(row.rowCount) },
  claimedAt: row.claimedAt === null ? null : Number(row.claimedAt),
  ...{ content: row.content, outcome: row.outcome },
})

/** Removes plans that can no longer be written, and chunks whose plan was never sealed. */
export async function sweepPlans(db: Kysely<MetadataTables>, now: number): Promise<void> {
  const isExpired = ({ and, or, eb }: ExpressionBuilder<MetadataTables, 'tablewirePlans'>) =>
    and([
      eb('endsAt', '<=', now),
      or([eb('state', '!=', 'writing'), eb('endsAt', '<=', now - DAY_MS)]),
    ])
  const expired = await db.selectFrom('tablewirePlans').select('id').where(isExpired).execute()
  for (const { id } of expired) {
    // Somebody may have begun to write it meanwhile.
    const { numDeletedRows } = await db
      .deleteFrom('tablewirePlans')
      .where('id', '=', id)
      .where(isExpired)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n)
      for (const chunks of CHUNKS) await db.deleteFrom(chunks).where('planId', '=', id).execute()
  }
  for (const chunks of CHUNKS)
    await db
      .deleteFrom(chunks)
      .where('at', '<=', now - ABANDONED_MS)
      .where('planId', 'not in', db.selectFrom('tablewirePlans').select('id'))
      .execute()
}

const CHUNKS = ['tablewirePlanChunks', 'tablewireLeftChunks'] as const

/** How long it is remembered that somebody has begun to write a plan and nobody knows the outcome. */
const DAY_MS = 24 * 60 * 60_000
/** Nobody seals a plan for longer. */
const ABANDONED_MS = 60 * 60_000
