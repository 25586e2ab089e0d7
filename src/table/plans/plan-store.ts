/** Where sealed plans are kept: the interface that the metadata implements. */

import type { PersonRef } from '../source/ledger-entry.ts'
import type { DigestedRows } from '../source/row-digest.ts'
import type { LeftRow } from './left-rows.ts'

/** `writing`: somebody has begun to write it; `ended`: what became of it is known. */
export type PlanState = 'sealed' | 'writing' | 'ended'

/** A plan without its keys. */
export type PlanRecord = {
  /** That of the entry of the history that it becomes. */
  readonly id: string
  readonly table: string
  /** Who has proposed it, and whose rights it uses. */
  readonly by: PersonRef
  /** For whom, where that is somebody else. */
  readonly behalf: PersonRef | null
  /** Who has approved it; `null` until it is written. */
  readonly approved: PersonRef | null
  /** Times in ms. */
  readonly at: number
  readonly endsAt: number
  readonly rows: number
  readonly state: PlanState
  /** When somebody began to write it, ms. */
  readonly claimedAt: number | null
  /** What is written, and what became of it, as JSON. */
  readonly content: string
  readonly outcome: string | null
}

export type NewPlan = Pick<
  PlanRecord,
  'id' | 'table' | 'by' | 'behalf' | 'at' | 'endsAt' | 'rows' | 'content'
> & {
  /** What its chunks take, bytes. */
  readonly bytes: number
}

/** A plan that is being written, by whoever has begun at that time. */
export type HeldPlan = Pick<PlanRecord, 'id' | 'claimedAt'>

/** What one person's plans may take together; the oldest that nobody has written make room. */
export type PlanBounds = { readonly plans: number; readonly bytes: number }

export interface PlanStore {
  /** Keeps a chunk of a plan that is being sealed; returns what it takes, bytes. */
  addChunk(plan: string, place: number, rows: DigestedRows): Promise<number>
  /** Keeps a plan whose chunks are all kept. */
  add(plan: NewPlan, bounds: PlanBounds): Promise<void>
  find(id: string): Promise<PlanRecord | undefined>
  /** The rows of the plan, in the order of their keys. */
  chunks(id: string): AsyncIterable<DigestedRows>
  /**
   * Begins to write it; returns since when it is held. `undefined` if it is not `sealed`: one of all who ask at once
   * holds it.
   */
  claim(id: string, approved: PersonRef): Promise<number | undefined>
  /** Nothing was written, so that it can be written yet. Does nothing where somebody else holds it by now. */
  release(held: HeldPlan): Promise<void>
  /** Keeps what is told of a plan that a job writes; its keys stay until `endsAt`, or until it has ended. */
  hand(id: string, outcome: string, endsAt: number): Promise<void>
  /** Keeps what became of it until `endsAt`, and forgets its keys. Returns false where somebody else holds it by now. */
  end(held: HeldPlan, outcome: string, endsAt: number): Promise<boolean>
  /** Keeps rows of the plan that are not written, in place of those that are kept at that place. */
  keepLeft(id: string, place: number, rows: readonly LeftRow[]): Promise<void>
  /** Forgets those that are kept at this place and after it. */
  dropLeft(id: string, from: number): Promise<void>
  /** All of them, by their places; as long as the plan is kept. */
  left(id: string): Promise<readonly LeftRow[]>
  /** Forgets a plan, or the chunks of one that was not sealed after all. */
  forget(id: string): Promise<void>
}
