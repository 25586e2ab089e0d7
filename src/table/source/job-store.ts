/** Where jobs are kept: their state, and which run of them may write, shared by all nodes. */

import type { Job, JobAsk, JobEnd, JobQuery, JobRequest, JobStep } from './job-engine.ts'
import type { Json } from '../../protocol/json.ts'
import type { EntryStep } from './ledger-entry.ts'

/** One run of a job. `fence` grows with each run: of two that believe to run it, only the later one writes. */
export type JobHold = { readonly id: string; readonly fence: number }

/** Whose run it is, and until when nobody else may take the job, ms. */
export type JobLease = { readonly node: string; readonly until: number }

/** `lost`: another run holds the job, or it has ended; nothing was changed. */
export type HoldState = 'held' | 'pause' | 'cancel' | 'lost'

/**
 * What has become of a step that a run has begun and not saved: `none` was written, nobody knows yet, nobody
 * ever will, or it was written.
 */
export type SettledStep =
  | { readonly state: 'none' }
  | { readonly state: 'pending' }
  | { readonly state: 'uncertain' }
  | { readonly state: 'done'; readonly step: EntryStep }

export type JobBounds = {
  /** Jobs that have not ended, of one person and of all. */
  readonly ofPerson: number
  readonly inAll: number
}

export type ClaimQuery = {
  readonly now: number
  readonly lease: JobLease
  /** Kinds that the node has handlers for. */
  readonly kinds: readonly string[]
  /** Jobs of one person that run at once, on all nodes. */
  readonly ofPerson: number
}

export type ClaimedJob = {
  readonly job: Job
  readonly hold: JobHold
  /** Steps that were saved before. */
  readonly steps: number
  readonly failures: number
}

export interface JobStore {
  /** Throws `BUSY` and `TOO_MANY_REQUESTS` at the bounds; returns the job that has the key already. */
  add(
    request: JobRequest,
    bounds: JobBounds & { readonly now: number; newId(): string },
  ): Promise<Job>
  find(id: string): Promise<Job | undefined>
  list(query: JobQuery): Promise<readonly Job[]>
  /** Takes a job that is due, of whoever has the fewest that run; of those, the oldest. */
  claim(query: ClaimQuery): Promise<ClaimedJob | undefined>
  /** Keeps the job longer. */
  keep(hold: JobHold, until: number): Promise<HoldState>
  /** Saves step number `step`, counted from 1; the same one again changes nothing. */
  save(
    hold: JobHold,
    step: JobStep & { readonly number: number; readonly now: number },
  ): Promise<HoldState>
  /** Ends the run, and the job. */
  end(hold: JobHold, end: { state: JobEnd; result: Json; now: number }): Promise<HoldState>
  /** Ends the run alone: the job is paused, or due again at a time. */
  release(
    hold: JobHold,
    as: { state: 'waiting' | 'paused'; dueAt: number; failures: number; now: number },
  ): Promise<HoldState>
  /** `undefined` where the state of the job does not allow it. */
  ask(id: string, ask: JobAsk, now: number): Promise<Job | undefined>
  /** Forgets jobs that ended before. */
  forget(before: number): Promise<void>
  close(): Promise<void>
}
