/** What can go wrong between browser and server, as the page shows it (spec §8). */

import type { ErrorCode } from '../protocol/errors.ts'
import type { ClientErrorCode } from './call-error.ts'

/** The page shows at most one at a time; the graver one wins. */
export type Failure =
  /** Status 419: the session or the page is too old. */
  | { readonly kind: 'expired' }
  /** Any other refusal or error; `message` and `reference` come from the server, if it sent any. */
  | {
      readonly kind: 'server'
      readonly code: ErrorCode | ClientErrorCode
      readonly status: number
      readonly message: string
      readonly reference: string | null
    }
  /** No answer at all: treated as 503 (spec §8) and retried; `waiting` counts edits and calls. */
  | { readonly kind: 'offline'; readonly waiting: number }
  /** Status 429 or 503, with the server's message. The client retries. */
  | { readonly kind: 'busy'; readonly waiting: number; readonly message: string }
