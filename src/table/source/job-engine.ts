/** Durable background jobs: the interface that every job engine implements. */

import type { Json } from '../../protocol/json.ts'
import type { EntryStep, PersonRef } from './ledger-entry.ts'

/** The progress of a job. */
export type JobProgress = {
  readonly done: number
  /** How much there is to do, in the same unit; `null` while nobody knows. */
  readonly total: number | null
}

/** `uncertain`: nobody can tell whether the last step was written; the job is never repeated. */
export const ENDED = ['done', 'failed', 'cancelled', 'uncertain'] as const

export type JobEnd = (typeof ENDED)[number]
export type JobState = 'waiting' | 'running' | 'paused' | JobEnd

/** What people may ask of a job. */
export type JobAsk = 'pause' | 'resume' | 'cancel'

/** A job, as `find`, `list` and `watch` report it. Times are milliseconds since 1970. */
export type Job = {
  readonly id: string
  /** Name under which its handler is registered. */
  readonly kind: string
  /** Who started it; it runs with their rights. */
  readonly by: PersonRef
  /** The tables that it is about: whoever may see them may see the job. */
  readonly tables: readonly string[]
  readonly input: Json
  readonly state: JobState
  /** What the run under way was asked, and has not done yet. */
  readonly asked: 'pause' | 'cancel' | null
  readonly progress: JobProgress
  /** What its handler returned, or the code of the error that ended it; `null` until it ends. */
  readonly result: Json
  /** What the last step saved; `null` before the first. */
  readonly checkpoint: Json
  readonly createdAt: number
  /** Since when it runs without a break, and how much was done then; `null` where it does not run. */
  readonly run: { readonly since: number; readonly done: number } | null
  readonly changedAt: number
  readonly endedAt: number | null
}

/** A job to run. It is stored, so it is plain JSON. */
export type JobRequest = {
  readonly kind: string
  readonly by: PersonRef
  readonly tables: readonly string[]
  readonly input: Json
  /** Idempotency key of the person: a second request with the same one returns the job that exists. */
  readonly key: string
}

/** What is saved after a step: the next run goes on from there. */
export type JobStep = { readonly checkpoint: Json; readonly progress: JobProgress }

/** What a handler receives for one run of a job. */
export type JobRun = {
  readonly id: string
  readonly by: PersonRef
  readonly input: Json
  /** The checkpoint and progress of earlier runs; `null` and nothing at the first. */
  readonly checkpoint: Json
  readonly progress: JobProgress
  /**
   * Saves a step that wrote no rows. Throws `JobStopped` afterwards if the job is to pause, to end, or to go
   * on elsewhere, and before if another process has taken it over: then this run must do nothing more.
   */
  save(step: JobStep): Promise<void>
  /**
   * Writes rows and saves the step with them: both or neither, once. `write` hands the step to its change
   * (`Change.step`); what is refused saves nothing. Throws what `save` throws, and what `write` throws.
   */
  write<Outcome extends { readonly status: 'done' | 'refused' }>(
    step: JobStep,
    write: (step: EntryStep) => Promise<Outcome>,
  ): Promise<Outcome>
  /** Aborted when the job is to stop, or its lease is lost; its reason is a `JobStopped`. */
  readonly signal: AbortSignal
  /** The same, but a pause does not abort it: whatever ends the run does, before a pause and after one. */
  readonly ending: AbortSignal
}

/** Ends a run early. A handler lets it pass. */
export class JobStopped extends Error {
  readonly why: 'pause' | 'cancel' | 'close' | 'lost'

  constructor(why: JobStopped['why']) {
    super(why)
    this.name = 'JobStopped'
    this.why = why
  }
}

/** A handler throws it where nobody can tell whether a step took effect; the job ends there. */
export class JobUncertain extends Error {
  /** What is told of the job. */
  readonly result: Json

  constructor(result: Json = null) {
    super('uncertain')
    this.name = 'JobUncertain'
    this.result = result
  }
}

/** Does the work of one kind of job; what it returns is the job's result. */
export type JobHandler = (run: JobRun) => Promise<Json>

/** Which jobs are wanted; what is left out restricts nothing. The oldest come first. */
export type JobQuery = {
  readonly states?: readonly JobState[]
  /** Of this person. */
  readonly by?: string
  /** Ended at this time or later, or not at all. */
  readonly endedSince?: number
  /** Most jobs. */
  readonly size: number
}

/**
 * Runs work that outlives a request and a process. One process at a time runs a job, under a lease;
 * when it dies, another one runs the job again from its last checkpoint.
 */
export interface JobEngine {
  /** Registers the handler of a kind, once for each kind. Jobs of other kinds wait for a node that has one. */
  handle(kind: string, handler: JobHandler): void
  /** Stores a job to run. Throws `BUSY` if the queue is full, and `TOO_MANY_REQUESTS` if the person's is. */
  enqueue(request: JobRequest): Promise<Job>
  find(id: string): Promise<Job | undefined>
  list(query: JobQuery): Promise<readonly Job[]>
  /**
   * Asks a job to pause, to go on, or to end; the step under way is finished or rolled back. Returns the job,
   * or `undefined` where its state does not allow that.
   */
  ask(id: string, ask: JobAsk): Promise<Job | undefined>
  /** Reports what happens to jobs on this node; returns the function that unsubscribes. */
  watch(listener: (job: Job) => void): () => void
  /** Finishes the steps under way, and starts no more; other nodes go on at once. */
  close(): Promise<void>
}
