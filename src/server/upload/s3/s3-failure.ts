/** What a failing bucket is called, for people and for the log. */

import { AppError } from '../../app-error.ts'
import { propertyOf } from '../../property-of.ts'

/** Seconds after which another try makes sense. */
const RETRY_AFTER = 5

const KEYS = 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'

/** Why S3 does not do what it is asked, by the name of its error. */
const REASONS = new Map<string, (bucket: string) => Error>([
  ['InvalidAccessKeyId', () => new Error(`S3 does not know the key: check ${KEYS}.`)],
  ['SignatureDoesNotMatch', () => new Error(`S3 refuses the signature: check ${KEYS}.`)],
  ['CredentialsProviderError', () => new Error(`There are no credentials: set ${KEYS}.`)],
  ['ExpiredToken', () => new Error('The credentials for S3 have expired.')],
  [
    'AccessDenied',
    (bucket) =>
      new Error(`S3 allows too little on the bucket [${bucket}]: docs/uploads.md has the list.`),
  ],
  [
    'NoSuchBucket',
    (bucket) => new Error(`S3 has no bucket [${bucket}]: check S3_BUCKET and S3_ENDPOINT.`),
  ],
  ['PermanentRedirect', otherRegion],
  ['AuthorizationHeaderMalformed', otherRegion],
  [
    'RequestTimeTooSkewed',
    () => new Error('The clock of this machine and that of S3 differ: set it right.'),
  ],
])

function otherRegion(bucket: string): Error {
  return new Error(`The bucket [${bucket}] is elsewhere: check S3_REGION and S3_ENDPOINT.`)
}

const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientCapacity']

/** HEAD is answered without a body, so its errors have no name but this. */
const NO_BODY: { readonly [status: number]: string } = {
  301: 'PermanentRedirect',
  403: 'AccessDenied',
}

/** The error of the catalogue; its cause says in one sentence what is wrong, without secrets. */
export function failureOf(error: unknown, bucket: string): Error {
  // A `TypeError` is a mistake of ours.
  if (error instanceof AppError || error instanceof TypeError) return error
  const name = nameOf(error)
  const status = statusOf(error)
  if (FULL.includes(name) || status === 507) return new AppError('STORAGE_FULL', { cause: error })
  const known = REASONS.get(name) ?? REASONS.get(NO_BODY[status] ?? '')
  const code = propertyOf(error, 'code')
  const told = [name, status, typeof code === 'string' ? code : '']
  return new AppError('STORAGE_UNAVAILABLE', {
    retryAfter: RETRY_AFTER,
    // What the SDK throws may hold whole requests, so it is not kept.
    cause: known
      ? known(bucket)
      : new Error(`S3 does not answer as it should: ${told.filter(Boolean).join(' ')}.`),
  })
}

/** Whether S3 has answered that there is nothing under a key. */
export const isMissing = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound'].includes(nameOf(error))

function nameOf(error: unknown): string {
  const name = propertyOf(error, 'name')
  return typeof name === 'string' ? name : 'Error'
}

function statusOf(error: unknown): number {
  const status = propertyOf(propertyOf(error, '$metadata'), 'httpStatusCode')
  return typeof status === 'number' ? status : 0
}
