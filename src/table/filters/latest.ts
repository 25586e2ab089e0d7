/** Runs only the latest of questions with one name: a new one cancels the one before. */

const running = new WeakMap<object, Map<string, AbortController>>()

/** The answer, or `null` if the question was asked again meanwhile. `owner` keeps names apart. */
export async function latest<Answer>(
  owner: object,
  name: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | null> {
  let names = running.get(owner)
  if (!names) running.set(owner, (names = new Map()))
  const own = new AbortController()
  names.get(name)?.abort()
  names.set(name, own)
  try {
    return await ask(AbortSignal.any([signal, own.signal]))
  } catch (error) {
    if (own.signal.aborted && !signal.aborted) return null
    throw error
  } finally {
    if (names.get(name) === own) names.delete(name)
  }
}
