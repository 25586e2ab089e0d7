/** Ends a process whose parent has gone. */

/** How often to check that the parent is alive, ms. */
const LOOK_MS = 1000

/** npm does not forward SIGTERM; without this, an orphaned server would keep its port. */
export function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS).unref()
}
