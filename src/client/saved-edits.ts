/** Typed input carried over a full load of the page, so that a deploy or an expiry loses none. */

import type { Json } from '../protocol/json.ts'
import type { Environment } from './environment.ts'
import type { Store } from './store.ts'

type Carried = { location: string; edits: { [component: string]: [path: string, value: Json][] } }

/** Keeps what was typed and not confirmed, for this very address. */
export function keepEdits(environment: Environment, stores: readonly Store[]): void {
  const edits = stores
    .filter((store) => store.unconfirmed.size > 0)
    .map((store) => [store.name, [...store.unconfirmed]])
  if (edits.length === 0) return
  const carried: Carried = { location: environment.location(), edits: Object.fromEntries(edits) }
  environment.carry.put(JSON.stringify(carried))
}

/**
 * Types again what was kept; returns the stores that it went to. A page without components, such
 * as the one to sign in on, leaves it for the page after it.
 */
export function restoreEdits(environment: Environment, stores: readonly Store[]): Store[] {
  if (stores.length === 0) return []
  const carried = read(environment.carry.take())
  if (carried?.location !== environment.location()) return []
  return stores.filter((store) => {
    const edits = carried.edits[store.name] ?? []
    for (const [path, value] of edits) store.edit(path, value)
    return edits.length > 0
  })
}

/** Written by this very file in this very tab; anything else is dropped. */
function read(text: string | null): Carried | null {
  if (text === null) return null
  try {
    return JSON.parse(text) as Carried
  } catch {
    return null
  }
}
