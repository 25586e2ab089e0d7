/** Asks before the person leaves a page with unsaved changes. */

import type { Environment } from '../environment.ts'
import type { LeavingGuard } from './moves.ts'

export type Leaving = {
  /** Asks this guard, too; returns the cleanup. */
  guard(guard: LeavingGuard): () => void
  /** The guard that has to be asked now. */
  guardNow(): LeavingGuard | undefined
  /**
   * Whether the person, who went back or forward, is being asked: the step is taken back, so the
   * address stays that of the page, and repeated if they want to leave.
   */
  asksToStep(): boolean
}

export function createLeaving({ stepBack }: Environment): Leaving {
  const guards = new Set<LeavingGuard>()
  const guardNow = () => [...guards].find((guard) => guard.isUnsaved())
  /** Whether the next step is the one that the person was asked about. */
  let isRepeated = false

  async function ask(guard: LeavingGuard): Promise<void> {
    const repeat = stepBack()
    isRepeated = await guard.ask()
    if (isRepeated) repeat()
  }

  return {
    guard(guard) {
      guards.add(guard)
      return () => void guards.delete(guard)
    },
    guardNow,
    asksToStep() {
      const guard = isRepeated ? undefined : guardNow()
      isRepeated = false
      if (guard) void ask(guard)
      return guard !== undefined
    },
  }
}
