/** Durable background jobs: the interface that every job engine implements. */

import type { Json } from '../../protocol/json.ts'

/** The progress of a job. */
export type JobProgress = {
  readonly done: number
  /** How much there is to do, in the same unit; `null` while nobody knows. */
  readonly total: number | null
}

/**
 * `uncertain` ends a job whose last step may or may not have been written; the job is reported and
 * never repeated.
 */
export type JobStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'uncertain'

/** A job, as `find` and `watch` report it. */
export type Job = {
  readonly id: string
  /** Name under which its handler is registered. */
  readonly kind: string
  /** Id of the actor on whose behalf it runs. */
  readonly actor: string
  readonly status: JobStatus
  readonly progress: JobProgress
  /** Its result or an error code; `null` until it ends. */
  readonly result: Json
}

/** A job to run. It is stored, so it is plain JSON. */
export type JobRequest = {
  readonly kind: string
  readonly actor: string
  readonly input: Json
  /** Idempotency key: a second request with the same key returns the existing job. */
  readonly key: string
}

/** What a handler receives for one run of a job. */
export type JobRun = {
  readonly id: string
  readonly actor: string
  readonly input: Json
  /** The last checkpoint of earlier runs, or `null` at the first. */
  readonly checkpoint: Json
  /**
   * Stores the progress durably, so that the next run continues from there. Throws if the lease is
   * lost: another process has taken over the job, and this run must write nothing more.
   */
  save(checkpoint: Json, progress: JobProgress): Promise<void>
  /** Aborted when the job is cancelled, or when its lease is lost. */
  readonly signal: AbortSignal
}

/**
 * Runs work that outlives a request and a process. One process at a time runs a job, under a lease;
 * when it dies, another one runs the job again from its last checkpoint.
 */
export interface JobEngine {
  /**
   * Registers the handler of a kind, once for each kind; what `run` returns is the job's result.
   */
  handle(kind: string, run: (job: JobRun) => Promise<Json>): void
  /** Stores a job to run. Throws `BUSY` if the queue is full. */
  enqueue(request: JobRequest): Promise<Job>
  find(id: string): Promise<Job | undefined>
  /** Asks a job to end; the step under way is finished or rolled back. */
  cancel(id: string): Promise<void>
  /** Reports every change to a job, from any process; returns the function that unsubscribes. */
  watch(id: string, listener: (job: Job) => void): () => void
  /** Finishes the steps under way, and starts no more. */
  close(): Promise<void>
}
