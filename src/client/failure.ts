/** What can go wrong between browser and server, as the page shows it (spec §8). */

import type { ErrorCode } from '../protocol/errors.ts'
import type { ClientErrorCode } from './call-error.ts'

/** A refused request. */
type Refused = {
  readonly code: ErrorCode | ClientErrorCode
  readonly status: number
  /** The server's sentence; empty where it sent none. */
  readonly message: string
  /** Sends the request again; absent where that is impossible. */
  readonly again?: () => void
  /** The same with more time, where it took too long. */
  readonly keepLooking?: () => Looking
}

/** A request that goes on though it took too long. */
export type Looking = {
  /** Resolves once it is answered, refused or cancelled. */
  readonly done: Promise<void>
  cancel(): void
}

export type ServerFailure = Refused & {
  readonly kind: 'server'
  readonly reference: string | null
  /** The HTML that something else than this server has answered with, such as a proxy. */
  readonly html: string | null
}

/** The page shows at most one at a time; the graver one wins. */
export type Failure =
  /** Status 419: the session or the page is too old. */
  | { readonly kind: 'expired' }
  /** Any other refusal or error. */
  | ServerFailure
  /**
   * A final refusal, such as a query that took too long: told beside the content, because asking
   * again by itself would not help.
   */
  | (Refused & { readonly kind: 'final' })
  /** No answer at all: treated as 503 (spec §8) and retried; `waiting` counts edits and calls. */
  | { readonly kind: 'offline'; readonly waiting: number }
  /** Status 429 or 503, with the server's message. The client retries. */
  | { readonly kind: 'busy'; readonly waiting: number; readonly message: string }
