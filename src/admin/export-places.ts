/** Limits exports: how many may be open, and how many read from the database at once, people taking turns. */

import { AppError } from '../server/app-error.ts'
import { FairQueue } from '../server/fair-queue.ts'

/** Exports that may be open at once. Those that nobody reads cost memory alone. */
const OPEN = { ofPerson: 2, ofAll: 60 }
/** How many parts may be read from the database at once. */
const READING = 6

/** After what time it makes sense to try again, seconds. */
const RETRY_SECONDS = 5

export type ExportPlaces = {
  /** Opens an export of this person, and returns what closes it. Throws `BUSY` if as many are open as may. */
  open(person: string): () => void
  /** Does the work when it is this person's turn to read. Throws the signal's reason if it comes first. */
  read<T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** The error for a person who has waited that long for their turn. */
export const waitedTooLong = (ms: number): AppError =>
  new AppError('BUSY', {
    detail: ({ selection }, number) => selection.exportWaited(number(ms / 1000)),
    retryAfter: RETRY_SECONDS,
  })

export function createExportPlaces(most = READING): ExportPlaces {
  const open = new Map<string, number>()
  const waiting = new FairQueue<() => void>()
  const reading = new Map<string, number>()
  const count = (counts: Map<string, number>, person: string, by: 1 | -1) => {
    const left = (counts.get(person) ?? 0) + by
    if (left === 0) counts.delete(person)
    else counts.set(person, left)
  }
  const sum = (counts: Map<string, number>) =>
    [...counts.values()].reduce((all, one) => all + one, 0)

  async function place(person: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (sum(reading) < most) return count(reading, person, 1)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const take = () => {
      count(reading, person, 1)
      resolve()
    }
    const leave = () => {
      if (waiting.delete(person, take)) reject(signal.reason)
    }
    waiting.add(person, take)
    signal.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }

  return {
    open(person) {
      if ((open.get(person) ?? 0) >= OPEN.ofPerson || sum(open) >= OPEN.ofAll)
        throw new AppError('BUSY', {
          detail: ({ selection }) => selection.exporting,
          retryAfter: RETRY_SECONDS,
        })
      count(open, person, 1)
      let isOver = false
      return () => {
        if (!isOver) count(open, person, -1)
        isOver = true
      }
    },
    async read(person, signal, work) {
      await place(person, signal)
      try {
        return await work()
      } finally {
        count(reading, person, -1)
        waiting.next((other) => reading.get(other) ?? 0)?.()
      }
    },
  }
}
