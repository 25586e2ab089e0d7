/** Questions of one round of reviews: each is asked once, and a failure of one does not affect the others. */

import { AppError } from '../../server/app-error.ts'

/** The answer where there is none for now, such as of a database that is away. */
export const UNKNOWN = 'unknown'

/**
 * Returns what asks a question, unless this round has asked it before. Temporary errors (503) make the
 * answer `UNKNOWN`: the next round asks again. Any other is reported once, and the answer is `undefined`.
 */
export function askOnce<Key, Answer>(
  report: (error: unknown) => void,
): (key: Key, ask: () => Promise<Answer>) => Promise<Answer | typeof UNKNOWN | undefined> {
  const known = new Map<Key, Promise<Answer | typeof UNKNOWN | undefined>>()

  const failed = (error: unknown) => {
    if (error instanceof AppError && error.status === 503) return UNKNOWN
    report(error)
    return undefined
  }

  return (key, ask) => {
    // What others have written may also throw before it returns a promise.
    const answer = known.get(key) ?? Promise.resolve().then(ask).catch(failed)
    known.set(key, answer)
    return answer
  }
}
