/** A timer that does not keep the process alive. */

/** Runs `task` after `delayMs`; returns a function that cancels it. */
export function later(task: () => void, delayMs: number): () => void {
  const timer = setTimeout(task, delayMs).unref()
  return () => clearTimeout(timer)
}
