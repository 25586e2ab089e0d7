/** A bus between servers of one process, for tests; the other buses have to behave like it. */

import { type Clock, systemClock } from './clock.ts'
import type { Bus, BusListener } from './bus.ts'

/** Returns a function that makes one more end of the same bus. */
export function memoryBus(clock: Clock = systemClock): () => Bus {
  const ends = new Set<BusListener>()
  const kept = new Map<string, { text: string; until: number }>()
  return () => {
    let own: BusListener | undefined
    return {
      isUp: () => own !== undefined,
      open(listener) {
        own = listener
        ends.add(listener)
      },
      send(text) {
        if (!own) return false
        // As over a network: later, and in order.
        for (const end of ends)
          if (end !== own) queueMicrotask(() => ends.has(end) && end.heard(text))
        return true
      },
      put: (key, text, ttlMs) => void kept.set(key, { text, until: clock.now() + ttlMs }),
      async get(key) {
        const found = kept.get(key)
        return found && found.until > clock.now() ? found.text : undefined
      },
      async close() {
        if (own) ends.delete(own)
        own = undefined
      },
    }
  }
}
