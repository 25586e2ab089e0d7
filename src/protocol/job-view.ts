/** What the region “Jobs” shows: work that runs in the background, as plain data. */

import type { Typed } from './component-types.ts'
import type { LeftBehind } from './plan-view.ts'

/** `uncertain`: nobody can tell whether its last step was written; it goes no further. */
export type JobState =
  | 'waiting'
  | 'running'
  | 'paused'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'uncertain'

/** A job; all texts are ready to show. */
export type JobView = {
  id: string
  /** What it does, such as “Set Status to Closed on 48,210 strikes”: the name of its progress bar. */
  title: string
  /** Such as “Wildlife strikes, by you”. */
  about: string
  state: JobState
  /** Steps done, and how many there are; `null` while nobody knows. */
  done: number
  total: number | null
  /** Such as “31,442”, and “of 48,210”; `''` for a total that nobody knows. */
  doneText: string
  totalText: string
  /** How it goes, such as “3,910 rows/s, 4 s left”, “Paused” or “Waiting for 2 others”. */
  pace: string
  mayPause: boolean
  mayResume: boolean
  mayCancel: boolean
  /** What became of it, in a sentence; `null` until it has ended. */
  result: string | null
  /** The entry of the history by which it can be taken back; `null` where there is none. */
  entry: string | null
  /** Rows that were not written, to be opened as a selection. */
  left: LeftBehind | null
}

/**
 * The jobs that the reader may know of: those that have not ended, and their own that ended within the last
 * minute. Its parameter `table` names the table of a list; `null` shows those of all tables.
 */
export type JobsView = { jobs: JobView[] }

/** What became of an order to a job: a sentence, and whether it was taken. */
export type JobOrder = { isDone: boolean; text: string }

/** The types of the component `jobs`; each action takes the id of a job. */
export type JobsComponent = Typed<{
  view: JobsView
  state: object
  writable: never
  actions: {
    pauseJob: { args: [id: string]; returns: Promise<JobOrder> }
    resumeJob: { args: [id: string]; returns: Promise<JobOrder> }
    /** The step under way is finished; what was written until then stays, and can be taken back. */
    cancelJob: { args: [id: string]; returns: Promise<JobOrder> }
  }
}>
