/** Work that is done again and again while the process lives. */

import { later } from '../../server/timer.ts'

/** Runs `task` with pauses between its ends and beginnings; returns what ends that. */
export function repeat(task: () => Promise<void>, pauseMs: number): () => void {
  let isOver = false
  const next = () => {
    cancel = later(() => void task().then(() => (isOver ? undefined : next())), pauseMs)
  }
  let cancel = () => {}
  next()
  return () => {
    isOver = true
    cancel()
  }
}
