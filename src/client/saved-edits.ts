/** Saves edits across a full load of the page, so that a deploy or an expiry loses none. */

import type { Json } from '../protocol/json.ts'
import type { Environment } from './environment.ts'
import type { Store } from './store.ts'

type Saved = { location: string; edits: { [id: string]: [path: string, value: Json][] } }

/** Saves the unconfirmed edits for this address. */
export function saveEdits(environment: Environment, stores: readonly Store[]): void {
  const edits = stores
    .filter((store) => store.unconfirmed.size > 0)
    .map((store) => [store.id, [...store.unconfirmed]])
  if (edits.length === 0) return
  const saved: Saved = { location: environment.location(), edits: Object.fromEntries(edits) }
  environment.savedEdits.put(JSON.stringify(saved))
}

/**
 * Restores the saved edits; returns the stores that received some. A page without components, such as
 * the sign-in page, leaves them for the next page.
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

/** Reads what `saveEdits` wrote in this tab; drops anything else. */
function read(text: string | null): Saved | null {
  if (text === null) return null
  try {
    return JSON.parse(text) as Saved
  } catch {
    return null
  }
}
