/** Every error code, with its HTTP status. */

/**
 * Code → HTTP status. `messages/` holds the sentence for each code, under `errors`, and
 * `docs/errors.md` lists the codes too. A test compares all three.
 */
export const ERRORS = {
  REQUEST_MALFORMED: { status: 400 },
  JSON_MALFORMED: { status: 400 },
  MARKER_MISSING: { status: 400 },
  SIGN_IN_REQUIRED: { status: 401 },
  SIGN_IN_FAILED: { status: 401 },
  SECOND_FACTOR_REQUIRED: { status: 401 },
  CODE_WRONG: { status: 401 },
  PASSKEY_REFUSED: { status: 401 },
  PROVIDER_ANSWER: { status: 401 },
  FORBIDDEN: { status: 403 },
  PROVIDER_REFUSED: { status: 403 },
  NOT_EMBEDDABLE: { status: 403 },
  ONLY_LOOKING: { status: 403 },
  NOT_FOUND: { status: 404 },
  REQUEST_TIMEOUT: { status: 408 },
  UPLOAD_OFFSET: { status: 409 },
  CHANGED_MEANWHILE: { status: 409 },
  REQUEST_TOO_LARGE: { status: 413 },
  ADDRESS_TOO_LONG: { status: 414 },
  CONTENT_TYPE: { status: 415 },
  PAGE_EXPIRED: { status: 419 },
  HOST_UNKNOWN: { status: 421 },
  REFUSED: { status: 422 },
  REQUEST_INVALID: { status: 422 },
  UPDATE_INVALID: { status: 422 },
  PROPERTY_LOCKED: { status: 422 },
  ARGUMENTS_INVALID: { status: 422 },
  KEY_REUSED: { status: 422 },
  TABLE_UNKNOWN_COLUMN: { status: 422 },
  TABLE_BAD_SORT: { status: 422 },
  TABLE_BAD_PLACE: { status: 422 },
  TABLE_BAD_PARAMETER: { status: 422 },
  TABLE_READ_ONLY: { status: 422 },
  TABLE_NO_SELECTION: { status: 422 },
  TABLE_BAD_KEY: { status: 422 },
  PASSWORD_WRONG: { status: 422 },
  PASSWORD_TOO_SHORT: { status: 422 },
  PASSWORD_TOO_LONG: { status: 422 },
  NAME_INVALID: { status: 422 },
  EMAIL_INVALID: { status: 422 },
  EMAIL_TAKEN: { status: 422 },
  LINK_SPENT: { status: 422 },
  TOO_MANY_REQUESTS: { status: 429 },
  HEADERS_TOO_LARGE: { status: 431 },
  BODY_CONSUMED: { status: 500 },
  SERVER_ERROR: { status: 500 },
  DATABASE_REFUSED: { status: 500 },
  OUTCOME_UNKNOWN: { status: 503 },
  BUSY: { status: 503 },
  DATABASE_UNAVAILABLE: { status: 503 },
  QUERY_TIMEOUT: { status: 503 },
  TIME_LIMIT: { status: 503 },
  STORAGE_UNAVAILABLE: { status: 503 },
  PROVIDER_UNAVAILABLE: { status: 503 },
  STORAGE_FULL: { status: 507 },
} as const satisfies Record<string, { status: number }>

export type ErrorCode = keyof typeof ERRORS

/**
 * Temporary by their status, but not worth asking again: an outcome that is not known stays so, and
 * what takes too long takes as long the next time.
 */
export const FINAL_CODES: readonly string[] = [
  'OUTCOME_UNKNOWN',
  'QUERY_TIMEOUT',
  'TIME_LIMIT',
] satisfies ErrorCode[]
