/** Ends a process whose parent has gone. */

/** How often to look whether the parent is still there, ms. */
const LOOK_MS = 1000

/** npm does not hand on a signal to end; a server without it would hold its port for ever. */
export function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS).unref()
}
