/** Who a request comes from, as the application around the runtime says. */

import type { Actor } from './actor.ts'

/** A signed-in person and the session they act in. */
export type Visitor = {
  readonly actor: Actor
  readonly session: {
    /** Public id; not the secret in the cookie. */
    readonly id: string
    /** Survives the rotation of the id; snapshots and tokens are bound to it. */
    readonly lineage: string
  }
}
