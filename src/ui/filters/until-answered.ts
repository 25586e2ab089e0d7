/** Asks again when the server has dropped a question in favour of a newer one, such as another tab's. */

/** How often a question is asked. Two tabs that cancel each other's must end some time. */
const TRIES = 3

/** The answer. Throws if every try was dropped, or nobody waits any more. */
export async function untilAnswered<Answer>(
  signal: AbortSignal,
  ask: () => Promise<Answer | null>,
): Promise<Answer> {
  for (let count = 0; count < TRIES; count++) {
    const answer = await ask()
    signal.throwIfAborted()
    if (answer !== null) return answer
  }
  throw new Error('Another question has taken the place of this one, again and again.')
}
