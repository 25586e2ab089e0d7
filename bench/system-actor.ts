/** In whose name the benchmarks read. */

import type { Actor } from '../src/server/actor.ts'

export const systemActor: Actor = {
  id: 'bench',
  name: 'Bench',
  email: 'bench@example.org',
  role: 'admin',
}
