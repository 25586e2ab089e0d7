/** What PostgreSQL and the way to it say when they fail, in words for a person. */

import { AppError, type Detail } from '../../server/app-error.ts'
import type { ErrorCode } from '../../protocol/errors.ts'
import { outdated, unavailable } from '../failure.ts'
import { placeOf, type Address } from './address.ts'

/** What the driver throws: SQLSTATE for what the server says, Node's codes for the way to it. */
type Failure = {
  readonly code: string | undefined
  readonly message: string
  readonly cause: unknown
}

/** The connection broke under a query, so nobody knows what became of it. */
export class LostConnection extends Error {
  constructor(cause: unknown) {
    super('connection lost', { cause })
    this.name = 'LostConnection'
  }
}

function failureOf(error: unknown): Failure {
  const lost = error instanceof LostConnection ? error.cause : error
  const message = lost instanceof Error ? lost.message : String(lost)
  const code = lost instanceof Error && 'code' in lost ? lost.code : undefined
  return { code: typeof code === 'string' ? code : undefined, message, cause: error }
}

const LATE = /^ETIMEDOUT$|^timeout expired$/

/** SQLSTATE of a failure, if the server said one. */
export function stateOf(error: unknown): string | undefined {
  const { code } = failureOf(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)
    ? code
    : undefined
}

/** Whether the server ends its sessions, or a session has ended: another connection may do better. */
export function isLost(error: unknown): boolean {
  const { code, message } = failureOf(error)
  // Who did not answer in time will not answer at once.
  if (LATE.test(code ?? '') || LATE.test(message)) return false
  return error instanceof LostConnection || /^(08|57P0[1235])/.test(stateOf(error) ?? '')
}

/** Whether a table, column, type or function that a statement named is not there as it was. */
export const isOutdated = (error: unknown): boolean =>
  OUTDATED.test(stateOf(error) ?? '') || isOutdatedPlan(error)

/** Whether some text could not be cast to a type. */
export const isBadValue = (error: unknown): boolean =>
  error instanceof AppError && (stateOf(error.cause) ?? '').startsWith('22')

const OUTDATED = /^(42P01|42703|42704|42804|42809|42883|3F000)$/

/** A prepared statement whose table has other columns now. */
export const isOutdatedPlan = (error: unknown): boolean =>
  stateOf(error) === '0A000' && /cached plan/.test(failureOf(error).message)

/** Whether everything was rolled back for the sake of others, and another try may do. */
export const isRolledBack = (error: unknown): boolean =>
  /^(40001|40P01)$/.test(stateOf(error) ?? '')

/** Whether the server ended the query, because of its time limit or because it was told to. */
export const isCancelled = (error: unknown): boolean => stateOf(error) === '57014'

/** Whether the connection failed for what it says about encryption, so that the other way may do. */
export function isAboutTls(error: unknown): boolean {
  const { code, message } = failureOf(error)
  return stateOf(error) === '28000' || NO_TLS.test(message) || TLS_CODE.test(code ?? '')
}

const NO_TLS = /does not support SSL|error establishing an SSL/
const TLS_CODE =
  /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/

/** The failure as an error of the catalogue; one that already is comes back unchanged. */
export function toAppError(error: unknown, address: Address): AppError {
  if (error instanceof AppError) return error
  const failure = failureOf(error)
  const state = stateOf(error)
  return state === undefined ? wayError(failure, address) : stateError(state, failure, address)
}

function stateError(state: string, failure: Failure, address: Address): AppError {
  const { cause } = failure
  if (isOutdated(cause)) return outdated(address.database, cause)
  const [code, sentence]: State = STATES.find(([prefix]) => state.startsWith(prefix))?.[1] ?? [
    'SERVER_ERROR',
    ({ postgres }) => postgres.failed(state),
  ]
  const retryAfter = PASSING.has(code) ? { retryAfter: 1 } : {}
  const detail: Detail = (details) => sentence(details, address, failure)
  return new AppError(code, { detail, cause, ...retryAfter })
}

function wayError({ code = '', message, cause }: Failure, address: Address): AppError {
  const isLate = LATE.test(code) || LATE.test(message)
  const isCut = cause instanceof LostConnection && !isLate
  const known = WAYS.find(([pattern]) => pattern.test(code) || pattern.test(message))
  const sentence: Sentence | undefined = isCut ? lost : known?.[1]
  if (sentence) return unavailable((details) => sentence(details, address), cause)
  return new AppError('SERVER_ERROR', { detail: ({ postgres }) => postgres.driverFailed, cause })
}

type Details = Parameters<Detail>[0]
type Sentence = (details: Details, address: Address, failure?: Failure) => string
type State = readonly [code: ErrorCode, sentence: Sentence]

/** Codes of what passes by itself. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['BUSY', 'DATABASE_UNAVAILABLE', 'QUERY_TIMEOUT'])

const lost: Sentence = ({ postgres }, address) => postgres.lost(placeOf(address))

/** By SQLSTATE or its beginning; the first decides. */
const STATES: readonly (readonly [prefix: string, State])[] = [
  ['08', ['DATABASE_UNAVAILABLE', lost]],
  ['22', ['SERVER_ERROR', ({ postgres }, _, failure) => postgres.notComputed(failure?.code ?? '')]],
  ['25006', ['TABLE_READ_ONLY', ({ postgres }, { database }) => postgres.standby(database)]],
  [
    '28P01',
    [
      'DATABASE_UNAVAILABLE',
      ({ postgres }, address) => postgres.wrongPassword(placeOf(address), address.user),
    ],
  ],
  [
    '28',
    [
      'DATABASE_UNAVAILABLE',
      ({ postgres }, address, failure) =>
        /no encryption|SSL off/.test(failure?.message ?? '')
          ? postgres.wantsTls(placeOf(address))
          : postgres.notLetIn(placeOf(address), address.user),
    ],
  ],
  [
    '3D000',
    [
      'DATABASE_UNAVAILABLE',
      ({ postgres }, address) => postgres.noDatabase(placeOf(address), address.database),
    ],
  ],
  ['40', ['BUSY', ({ postgres }) => postgres.inTheWay]],
  ['42501', ['FORBIDDEN', ({ postgres }, { user }) => postgres.noPrivilege(user)]],
  ['53100', ['DATABASE_UNAVAILABLE', ({ postgres }) => postgres.diskFull]],
  ['53300', ['BUSY', ({ postgres }, address) => postgres.noConnection(placeOf(address))]],
  ['53', ['DATABASE_UNAVAILABLE', ({ postgres }) => postgres.exhausted]],
  ['55P03', ['BUSY', ({ postgres }) => postgres.locked]],
  ['57014', ['QUERY_TIMEOUT', ({ database }) => database.ended]],
  [
    '57P',
    ['DATABASE_UNAVAILABLE', ({ postgres }, address) => postgres.restarting(placeOf(address))],
  ],
]

/** By Node's code or the driver's message; the first decides. */
const WAYS: readonly (readonly [RegExp, Sentence])[] = [
  [/^ECONNREFUSED$/, ({ postgres }, address) => postgres.notListening(placeOf(address))],
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/, ({ postgres }, { host }) => postgres.noHost(host)],
  [/^(ENOENT|EACCES)$/, ({ postgres }, address) => postgres.noSocket(placeOf(address))],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, ({ postgres }, { host }) => postgres.noWay(host)],
  [LATE, ({ postgres }, address) => postgres.silent(placeOf(address))],
  [
    /does not support SSL/,
    ({ postgres }, address) => postgres.noTls(placeOf(address), address.tlsMode),
  ],
  [
    /error establishing an SSL|invalid response|unexpected \w+ message|Unknown authenticationOk|ERR_SSL_WRONG_VERSION_NUMBER/,
    ({ postgres }, address) => postgres.notPostgres(placeOf(address)),
  ],
  [/^CERT_HAS_EXPIRED$/, ({ postgres }, address) => postgres.certificateExpired(placeOf(address))],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/,
    ({ postgres }, { host }) => postgres.certificateName(host),
  ],
  [
    /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_)/,
    ({ postgres }, address) => postgres.certificateUnknown(placeOf(address)),
  ],
  [TLS_CODE, ({ postgres }, address) => postgres.tlsFailed(placeOf(address))],
  [
    /client password must be/,
    ({ postgres }, address) => postgres.noPassword(placeOf(address), address.user),
  ],
  [/^SASL/, ({ postgres }, address) => postgres.signInFailed(placeOf(address))],
  [
    /^(ECONNRESET|EPIPE|ECONNABORTED)$|^Connection terminated/,
    ({ postgres }, address) => postgres.hungUp(placeOf(address)),
  ],
]
