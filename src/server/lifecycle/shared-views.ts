/** Views that several people are shown alike: read once, whoever asks for them first. */

import type { JsonObject } from '../../protocol/json.ts'

/** A view, and the state that was decided with it. */
export type ReadView = {
  readonly state: Readonly<JsonObject>
  /** As JSON. */
  readonly view: string
  /** What the definition's view returned. */
  readonly returned: unknown
  readonly digest: string
}

export type SharedViews = {
  /** The view of that key, which names all that it depends on; `read` reads it where nobody has. */
  find(key: string, read: () => Promise<ReadView>): Promise<ReadView>
}

/** Views that are kept: the newest of each listing, as long as somebody may still ask for them. */
const VIEWS_MAX = 100

/**
 * Whoever asks first reads for all. If that fails, as where they leave, each of the others reads for
 * themselves.
 */
export function sharedViews(): SharedViews {
  const views = new Map<string, Promise<ReadView>>()
  return {
    async find(key, read) {
      const known = views.get(key)
      if (known) return known.catch(read)
      const reading = read()
      views.set(key, reading)
      const [oldest] = views.keys()
      if (oldest !== undefined && views.size > VIEWS_MAX) views.delete(oldest)
      try {
        return await reading
      } catch (error) {
        if (views.get(key) === reading) views.delete(key)
        throw error
      }
    },
  }
}
