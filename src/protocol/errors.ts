/** The catalogue of everything that can go wrong: code, status and the words for a person. */

/** Code → status and message. `docs/errors.md` lists the same codes; a test compares them. */
export const ERRORS = {
  REQUEST_MALFORMED: { status: 400, message: 'The request could not be read.' },
  JSON_MALFORMED: { status: 400, message: 'The request is not valid JSON.' },
  MARKER_MISSING: { status: 400, message: 'The request is not a component update.' },
  SIGN_IN_REQUIRED: { status: 401, message: 'Sign in to go on.' },
  SIGN_IN_FAILED: { status: 401, message: 'The email or the password is not right.' },
  FORBIDDEN: { status: 403, message: 'You may not do this.' },
  NOT_FOUND: { status: 404, message: 'There is nothing here, or you may not see it.' },
  REQUEST_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  CONTENT_TYPE: { status: 415, message: 'The request must be application/json.' },
  PAGE_EXPIRED: { status: 419, message: 'This page has expired.' },
  REQUEST_INVALID: { status: 422, message: 'The request has the wrong shape.' },
  UPDATE_INVALID: { status: 422, message: 'There is no such property.' },
  PROPERTY_LOCKED: { status: 422, message: 'This property cannot be changed from the browser.' },
  ARGUMENTS_INVALID: { status: 422, message: 'The action was given the wrong arguments.' },
  KEY_REUSED: { status: 422, message: 'This idempotency key belongs to another request.' },
  TABLE_UNKNOWN_COLUMN: {
    status: 422,
    message: 'This column does not exist, or you may not see it.',
  },
  TABLE_BAD_SORT: { status: 422, message: 'The table cannot be sorted like this.' },
  TABLE_BAD_PLACE: { status: 422, message: 'The place in this address does not fit its order.' },
  TABLE_BAD_PARAMETER: { status: 422, message: 'The address holds a parameter that is not known.' },
  TABLE_READ_ONLY: { status: 422, message: 'These rows cannot be changed.' },
  PASSWORD_TOO_SHORT: { status: 422, message: 'The password needs at least 12 characters.' },
  PASSWORD_TOO_LONG: { status: 422, message: 'The password may have at most 1024 bytes.' },
  NAME_INVALID: {
    status: 422,
    message: 'The name may have at most 200 characters, all of them visible.',
  },
  EMAIL_INVALID: { status: 422, message: 'This does not look like an email address.' },
  EMAIL_TAKEN: { status: 422, message: 'An account with this address exists already.' },
  LINK_SPENT: { status: 422, message: 'This sign-in link has been used or has expired.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Try again in a moment.' },
  SERVER_ERROR: { status: 500, message: 'Something went wrong on the server.' },
  OUTCOME_UNKNOWN: {
    status: 503,
    message: 'It is not known whether this was done. It was not repeated; please check.',
  },
  BUSY: { status: 503, message: 'The server is busy. Try again in a moment.' },
  DATABASE_UNAVAILABLE: { status: 503, message: 'The database does not answer.' },
  QUERY_TIMEOUT: { status: 503, message: 'The database took too long to answer.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS
