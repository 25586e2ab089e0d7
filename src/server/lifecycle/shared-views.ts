/** Shares views among people who are shown the same: each view is read once. */

import type { JsonObject } from '../../protocol/json.ts'

/** A view, and the state that was decided with it. */
export type ReadView = {
  readonly state: Readonly<JsonObject>
  /** As JSON. */
  readonly view: string
  readonly digest: string
}

export type SharedViews = {
  /** The view of that key, which names all that it depends on; `read` reads it where nobody has. */
  find(key: string, read: () => Promise<ReadView>): Promise<ReadView>
}

/**
 * Characters of views and their keys that are kept: the newest ones, also when rows have changed since and
 * nobody will ask for them again.
 */
const VIEWS_LENGTH = 8 * 1024 * 1024

/**
 * Whoever asks first reads for all. If that fails, as where they leave, each of the others reads for
 * themselves.
 */
export function sharedViews(): SharedViews {
  const views = new Map<string, Promise<ReadView>>()
  /** Of those that have been read, the oldest first. */
  const lengths = new Map<string, number>()
  let total = 0

  function keep(key: string, { view }: ReadView): void {
    lengths.set(key, key.length + view.length)
    total += key.length + view.length
    for (const [oldest, length] of lengths) {
      if (total <= VIEWS_LENGTH) break
      total -= length
      lengths.delete(oldest)
      views.delete(oldest)
    }
  }

  return {
    async find(key, read) {
      const known = views.get(key)
      if (known) return known.catch(read)
      const reading = read()
      views.set(key, reading)
      try {
        const view = await reading
        keep(key, view)
        return view
      } catch (error) {
        views.delete(key)
        throw error
      }
    },
  }
}
