/** The tables of jobs, as Kysely types them; names are `tablewire_…` in SQL. */

import type { JobState } from '../../table/source/job-engine.ts'

/** One job; times are milliseconds since 1970, and what is JSON is text. */
export type JobRow = {
  id: string
  kind: string
  byId: string
  byName: string
  /** Names, as JSON. */
  tables: string
  input: string
  /** Idempotency key: one of a person. */
  requestKey: string
  state: JobState
  asked: 'pause' | 'cancel' | null
  checkpoint: string
  result: string
  /** Steps that were saved, and the progress that they have made. */
  steps: number
  done: number
  total: number | null
  /** The node that runs it, or ran it last, until when it alone may, and which run that is. */
  node: string
  until: number
  fence: number
  /** Since when the run goes on, and what was done then. */
  runSince: number
  runDone: number
  /** When it may run next, and how often it has failed since its last step. */
  dueAt: number
  failures: number
  createdAt: number
  changedAt: number
  endedAt: number | null
}

export type JobTables = { tablewireJobs: JobRow }
