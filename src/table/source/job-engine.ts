/** Durable background work: the interface that every engine of jobs implements. */

import type { Json } from '../../protocol/json.ts'

/** How far a job is. */
export type JobProgress = {
  readonly done: number
  /** How much there is to do, in the same unit; `null` while nobody knows. */
  readonly total: number | null
}

/**
 * `uncertain` is the end of a job whose last piece may or may not have been written: it is told, and
 * never repeated.
 */
export type JobStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'uncertain'

/** A job as whoever watches it sees it. */
export type Job = {
  readonly id: string
  /** Name of the kind of work, under which its handler is registered. */
  readonly kind: string
  /** Id of the actor in whose name it runs. */
  readonly actor: string
  readonly status: JobStatus
  readonly progress: JobProgress
  /** What it ended with, or a code of the catalogue of errors; `null` until then. */
  readonly result: Json
}

/** What is to be done. It is stored, so it is plain JSON. */
export type JobRequest = {
  readonly kind: string
  readonly actor: string
  readonly input: Json
  /** Asked for again under the same key, the job that there is already is returned. */
  readonly key: string
}

/** What the handler of a kind of work is given for one run of a job. */
export type JobRun = {
  readonly id: string
  readonly actor: string
  readonly input: Json
  /** What the last run had stored when it ended, or `null` at the first. */
  readonly checkpoint: Json
  /**
   * Stores how far the job is, durably, so that the next run goes on from there. Throws where the
   * lease was lost: another process has taken the job over, and nothing more may be written.
   */
  save(checkpoint: Json, progress: JobProgress): Promise<void>
  /** Aborted when the job is cancelled, or when its lease is lost. */
  readonly signal: AbortSignal
}

/**
 * Runs work that outlives a request and a process. A job is run by one process at a time, under a
 * lease; when a process dies, another one runs the job again from its last checkpoint.
 */
export interface JobEngine {
  /** Registers the work of a kind; what `run` returns is the job's result. Once for each kind. */
  handle(kind: string, run: (job: JobRun) => Promise<Json>): void
  /** Stores a job to be run. Throws `BUSY` where as many wait as may. */
  enqueue(request: JobRequest): Promise<Job>
  find(id: string): Promise<Job | undefined>
  /** Asks a job to end; a piece of work that has begun is finished or rolled back. */
  cancel(id: string): Promise<void>
  /** Tells of every change to a job, from whatever process it comes; returns what ends that. */
  watch(id: string, listener: (job: Job) => void): () => void
  /** Lets the pieces that run come to their end, and takes no more. */
  close(): Promise<void>
}
