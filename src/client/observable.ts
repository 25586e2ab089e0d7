/** A minimal observable value: read it, change it, subscribe to changes. */

export type Observable<T> = {
  getState(): T
  setState(value: T): void
  /** Runs `listener` after each change; returns its cleanup. */
  subscribe(listener: () => void): () => void
}

export function createObservable<T>(initial: T): Observable<T> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    setState(value) {
      if (Object.is(value, state)) return
      state = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
