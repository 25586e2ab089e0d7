/** Work that is done again and again while the process lives. */

/** Runs `task` after `delayMs`, and does not keep the process alive. Returns what cancels it. */
export function later(task: () => void, delayMs: number): () => void {
  const timer = setTimeout(task, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

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
