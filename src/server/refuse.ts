/** Refuses a request in the words of a component or a page. */

import { AppError } from './app-error.ts'

export type RefusalOptions = {
  /**
   * 422 (code `REFUSED`) where the request cannot be met, 403 (code `FORBIDDEN`) where this person may
   * not make it. Default: 422.
   */
  readonly status?: 403 | 422
}

/**
 * Ends an action, or any other hook, with a sentence for the person: it is shown as it is, so write it
 * in the reader's `language`. Nothing of the request is kept, so refuse before you write.
 *
 * @example
 * run({ state }, by) {
 *   if (state.count + by > 400) refuse('The store holds 400 crates.')
 *   state.count += by
 * }
 */
export function refuse(sentence: string, { status = 422 }: RefusalOptions = {}): never {
  throw new AppError(status === 403 ? 'FORBIDDEN' : 'REFUSED', { sentence })
}
