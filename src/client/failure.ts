/** What can go wrong between browser and server, as the page shows it (spec §8). */

import type { ErrorCode } from '../protocol/errors.ts'
import type { ClientErrorCode } from './call-error.ts'

/** At most one is shown at a time; the graver one wins. */
export type Failure =
  /** Status 419: the session or the page is too old. */
  | { readonly kind: 'expired' }
  /** Any other refusal or error; `message` and `reference` come from the server, if it said any. */
  | {
      readonly kind: 'server'
      readonly code: ErrorCode | ClientErrorCode
      readonly status: number
      readonly message: string
      readonly reference: string | null
    }
  /** No answer at all: treated as 503 (spec §8). Retried by itself; `waiting` counts edits and calls. */
  | { readonly kind: 'offline'; readonly waiting: number }
  /** Status 429 or 503, for which the server has its own words: retried by itself. */
  | { readonly kind: 'busy'; readonly waiting: number; readonly message: string }
