/** How far an action of a table's own says that it is with the rows it was given, saved with its job now and then. */

import type { JobStep } from '../source/job-engine.ts'

/** Shortest time between two of these steps, ms. */
const SAVED_EVERY_MS = 500

type Options = {
  /** How many rows the action was given. */
  readonly rows: number
  now(): number
  /** Saves that so many of these rows are done. */
  save(rows: number): Promise<void>
}

export type ReportedProgress = {
  /** What the action calls. Nothing of it throws, and after `end` it does nothing. */
  report(done: number, total?: number): void
  /** Settles once nothing more is being saved. */
  end(): Promise<void>
}

export function reportedProgress({ rows, now, save }: Options): ReportedProgress {
  let isOver = false
  let saved = 0
  let savedAt = now()
  let saving: Promise<void> | undefined
  return {
    report(done, total = rows) {
      const share = total > 0 ? Math.min(Math.floor((done / total) * rows), rows) : 0
      // What is no number is not greater.
      if (isOver || saving || !(share > saved) || now() < savedAt + SAVED_EVERY_MS) return
      saved = share
      savedAt = now()
      saving = save(share)
        // A run that was stopped has its signal aborted; whatever else it is, the next step meets it, too.
        .catch(() => undefined)
        .finally(() => (saving = undefined))
    },
    async end() {
      isOver = true
      await saving
    },
  }
}

/** `step` as it is once so many more rows are done; what it goes on from stays. */
export const furtherBy = ({ checkpoint, progress }: JobStep, rows: number): JobStep => ({
  checkpoint,
  progress: { ...progress, done: progress.done + rows },
})
