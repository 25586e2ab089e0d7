/** Who asks for a plan, of which table, and what plans are made with. */

import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { ActorSource } from '../actor-source.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { ChangeDoor } from '../changes/door.ts'
import type { Ledger } from '../changes/ledger.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { RowSource } from '../source/row-source.ts'
import type { HandleKeys } from './handle.ts'
import type { PlanStore } from './plan-store.ts'

export type PlanServices = {
  readonly store: PlanStore
  readonly keys: HandleKeys
  newId(): string
  now(): number
  /** Tells whether a plan was written by a process that died before it could say so. Absent: nothing is kept. */
  readonly ledger?: Pick<Ledger, 'find'> | undefined
  /** For how long changes are kept, days. */
  readonly keptDays?: number | undefined
  /** Where many rows are written by a job. Absent: all are written at once. */
  readonly jobs?: Pick<Jobs, 'start'> | undefined
  /** From how many rows on. Default: `JOB_FROM`. */
  readonly jobFrom?: number | undefined
}

export type Asking = {
  readonly actor: Actor
  /** The session, which stays the same when its id changes. */
  readonly lineage: string
  readonly open: OpenTable
  readonly reader: Reader
  readonly signal: AbortSignal
  readonly source: RowSource
  /** What actions of the table's own are given. */
  readonly ownSource: ActorSource
  catalog(): Catalog
  readonly door: ChangeDoor
  /** Address of a table's list. */
  href(table: string): string
  readonly plans: PlanServices
}

/** Above this number of rows, it must be typed to write them. */
export const TYPED_FROM = 500
/** From here on a job writes the rows, where there are jobs; an action of the table's own runs as one sooner. */
export const JOB_FROM = 5000
export const OWN_JOB_FROM = 50
/** Most rows of a plan: as a job, and in one transaction. */
export const JOB_ROWS = 2_000_000
export const AT_ONCE_ROWS = 100_000
/** Most rows that a table's own rules are asked about. */
export const JUDGED_ROWS = 10_000
/** Most rows that a plan is tried with. */
export const TRIED_ROWS = 10_000
/** Most rows that an action of the table's own runs over at once, and for how long it may, ms. */
export const OWN_ROWS = 1000
export const OWN_MS = 45_000
/** How long a plan can be written, ms; and how long its outcome is remembered. */
export const PLAN_MS = 60 * 60_000
export const OUTCOME_MS = 24 * PLAN_MS
/** How long a job may take with its pauses, ms. */
export const JOB_MS = 30 * 24 * PLAN_MS
/** What the plans of one person may take, compressed. */
export const BOUNDS = { plans: 20, bytes: 64 * 2 ** 20 }
/** Longest time of each question, ms. */
export const TIMEOUT_MS = 20_000
/** Rows that are told one by one. */
export const TOLD_ROWS = 20
