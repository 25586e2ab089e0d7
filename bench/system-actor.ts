/** The actor of the benchmarks. */

import type { Actor } from '../src/server/actor.ts'

export const systemActor: Actor = {
  id: 'bench',
  name: 'Bench',
  email: 'bench@example.org',
  role: 'admin',
}
