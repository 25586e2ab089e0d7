/** Coalesces concurrent questions, so that one look answers all that were asked before it began. */

/**
 * Looks once at a time. Whoever asks while a look is under way shares the next one, so that each
 * sees what was done before they asked.
 */
export function coalesce<Seen>(look: () => Promise<Seen>): () => Promise<Seen> {
  let running: Promise<unknown> | undefined
  let next: Promise<Seen> | undefined

  function begin(): Promise<Seen> {
    next = undefined
    const looking = look()
    const ended = looking.then(noop, noop).then(() => {
      if (running === ended) running = undefined
    })
    running = ended
    return looking
  }

  return () => {
    if (!running) return begin()
    return (next ??= running.then(begin))
  }
}

const noop = (): void => undefined
