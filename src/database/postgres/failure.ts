/** Turns errors of PostgreSQL and of the connection into `AppError`s. */

import { AppError, type Detail } from '../../server/app-error.ts'
import type { ErrorCode } from '../../protocol/errors.ts'
import { outdated, refused, unavailable } from '../failure.ts'
import { placeOf, type Address } from './address.ts'

/** What the driver throws: with a SQLSTATE from the server, or Node's code from the connection. */
type Failure = {
  readonly code: string | undefined
  readonly message: string
  readonly cause: unknown
}

/** The connection broke during a query, whose outcome is unknown. */
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

/** The SQLSTATE of a failure, if the server sent one. */
export function stateOf(error: unknown): string | undefined {
  const { code } = failureOf(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)
    ? code
    : undefined
}

/** Whether the server closed the connection or is shutting down: a new connection may succeed. */
export function isLost(error: unknown): boolean {
  const { code, message } = failureOf(error)
  // A server that did not answer in time will not answer a retry.
  if (LATE.test(code ?? '') || LATE.test(message)) return false
  return error instanceof LostConnection || /^(08|57P0[1235])/.test(stateOf(error) ?? '')
}

/** Whether a table, column, type or function in a statement was dropped or changed. */
export const isOutdated = (error: unknown): boolean =>
  OUTDATED.test(stateOf(error) ?? '') || isOutdatedPlan(error)

/** Whether a text could not be cast to its type. */
export const isBadValue = (error: unknown): boolean =>
  error instanceof AppError && (stateOf(error.cause) ?? '').startsWith('22')

const OUTDATED = /^(42P01|42703|42704|42804|42809|42883|3F000)$/

/** Whether a prepared statement's table has changed its columns. */
export const isOutdatedPlan = (error: unknown): boolean =>
  stateOf(error) === '0A000' && /cached plan/.test(failureOf(error).message)

/** Whether a deadlock or serialization failure rolled the transaction back; a retry may succeed. */
export const isRolledBack = (error: unknown): boolean =>
  /^(40001|40P01)$/.test(stateOf(error) ?? '')

/** Whether the server cancelled the query, at its time limit or on request. */
export const isCancelled = (error: unknown): boolean => stateOf(error) === '57014'

/** Whether connecting failed because of encryption, so that the other option may succeed. */
export function isAboutTls(error: unknown): boolean {
  const { code, message } = failureOf(error)
  return stateOf(error) === '28000' || NO_TLS.test(message) || TLS_CODE.test(code ?? '')
}

const NO_TLS = /does not support SSL|error establishing an SSL/
const TLS_CODE =
  /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/

/** The error as an `AppError`; an `AppError` is returned unchanged. */
export function toAppError(error: unknown, address: Address): AppError {
  if (error instanceof AppError) return error
  const failure = failureOf(error)
  const state = stateOf(error)
  return state === undefined
    ? connectionError(failure, address)
    : stateError(state, failure, address)
}

function stateError(state: string, failure: Failure, address: Address): AppError {
  const { cause } = failure
  if (isOutdated(cause)) return outdated(address.database, failure.message, cause)
  const known = STATES.find(([prefix]) => state.startsWith(prefix))?.[1]
  if (!known) return refused(failure.message, cause)
  const [code, sentence] = known
  const retryAfter = TEMPORARY.has(code) ? { retryAfter: 1 } : {}
  const detail: Detail = (details) => sentence(details, address, failure)
  return new AppError(code, { detail, cause, ...retryAfter })
}

function connectionError({ code = '', message, cause }: Failure, address: Address): AppError {
  const isLate = LATE.test(code) || LATE.test(message)
  const isCut = cause instanceof LostConnection && !isLate
  const known = CONNECTION_FAILURES.find(([pattern]) => pattern.test(code) || pattern.test(message))
  const sentence: Sentence | undefined = isCut ? lost : known?.[1]
  if (sentence) return unavailable((details) => sentence(details, address), cause)
  return new AppError('SERVER_ERROR', { detail: ({ postgres }) => postgres.driverFailed, cause })
}

type Details = Parameters<Detail>[0]
type Sentence = (details: Details, address: Address, failure?: Failure) => string
type State = readonly [code: ErrorCode, sentence: Sentence]

/** Codes of temporary failures. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(['BUSY', 'DATABASE_UNAVAILABLE', 'QUERY_TIMEOUT'])

const lost: Sentence = ({ postgres }, address) => postgres.lost(placeOf(address))

/** By SQLSTATE or its beginning; the first match decides. */
const STATES: readonly (readonly [prefix: string, State])[] = [
  ['08', ['DATABASE_UNAVAILABLE', lost]],
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

/** By Node's code or the driver's message; the first match decides. */
const CONNECTION_FAILURES: readonly (readonly [RegExp, Sentence])[] = [
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
