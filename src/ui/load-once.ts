/** A part of the browser's script that is loaded when it is needed. */

export type Loadable<Part> = {
  /** The part, if it has been loaded. */
  now(): Part | undefined
  /** Loads it, once; after a failure, the next call tries again. The same promise until then. */
  load(): Promise<Part>
}

export function loadOnce<Part>(begin: () => Promise<Part>): Loadable<Part> {
  let part: Part | undefined
  let loading: Promise<Part> | undefined
  const keep = (loaded: Part) => (part = loaded)
  const forget = (error: unknown) => {
    loading = undefined
    throw error
  }
  return { now: () => part, load: () => (loading ??= begin().then(keep, forget)) }
}

/** How long to wait before a part that has not come is asked for again, ms. */
export const AGAIN_MS = 10_000

/** Asks for a part until it has come, and tells each time that it has not; returns what stops it. */
export function loadUntilItComes<Part>(
  { load }: Loadable<Part>,
  came: (part: Part) => void,
  failed: () => void,
): () => void {
  let isOver = false
  function ask(): void {
    if (isOver) return
    load().then(came, () => {
      failed()
      setTimeout(ask, AGAIN_MS)
    })
  }
  ask()
  return () => void (isOver = true)
}

/** Loads these parts as soon as the person does something. */
export function loadOnFirstMove(parts: readonly Loadable<unknown>[]): void {
  const once = new AbortController()
  const load = () => {
    once.abort()
    // Whoever needs a part tries again, and says so if that fails.
    for (const part of parts) part.load().catch(() => undefined)
  }
  for (const name of ['pointermove', 'pointerdown', 'keydown'] as const)
    addEventListener(name, load, { signal: once.signal, passive: true })
}
