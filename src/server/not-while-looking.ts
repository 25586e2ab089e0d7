/** Refuses to change anything for somebody who only looks at what another role sees. */

import type { Actor } from './actor.ts'
import { AppError } from './app-error.ts'

/** Throws `ONLY_LOOKING`. */
export function notWhileLooking({ isLooking }: Actor): void {
  if (isLooking) throw new AppError('ONLY_LOOKING')
}
