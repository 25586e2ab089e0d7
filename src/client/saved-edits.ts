/** Saves typed input over a full load of the page, so that a deploy or an expiry loses none. */

import type { Json } from '../protocol/json.ts'
import type { Environment } from './environment.ts'
import type { Store } from './store.ts'

type Saved = { location: string; edits: { [id: string]: [path: string, value: Json][] } }

/** Keeps what was typed and not confirmed, for this very address. */
export function keepEdits(environment: Environment, stores: readonly Store[]): void {
  const edits = stores
    .filter((store) => store.unconfirmed.size > 0)
    .map((store) => [store.id, [...store.unconfirmed]])
  if (edits.length === 0) return
  const saved: Saved = { location: environment.location(), edits: Object.fromEntries(edits) }
  environment.savedEdits.put(JSON.stringify(saved))
}

/**
 * Types again what was kept; returns the stores that it went to. A page without components, such
 * as the one to sign in on, leaves it for the page after it.
 */
export function restoreEdits(environment: Environment, stores: readonly Store[]): Store[] {
  if (stores.length === 0) return []
  const saved = read(environment.savedEdits.take())
  if (saved?.location !== environment.location()) return []
  return stores.filter((store) => {
    const edits = saved.edits[store.id] ?? []
    for (const [path, value] of edits) store.edit(path, value)
    return edits.length > 0
  })
}

/** Written by this very file in this very tab; anything else is dropped. */
function read(text: string | null): Saved | null {
  if (text === null) return null
  try {
    return JSON.parse(text) as Saved
  } catch {
    return null
  }
}
