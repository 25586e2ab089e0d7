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
  const known = STATES.find(([prefix]) => state.startsWith(prefix))
  if (!known) return refused(failure.message, cause)
  const [, code, sentence] = known
  const retryAfter = TEMPORARY.has(code) ? { retryAfter: 1 } : {}
  return new AppError(code, { detail: detailOf(sentence, address, failure), cause, ...retryAfter })
}

function connectionError(failure: Failure, address: Address): AppError {
  const { code = '', message, cause } = failure
  const isLate = LATE.test(code) || LATE.test(message)
  const isCut = cause instanceof LostConnection && !isLate
  const known = CONNECTION_FAILURES.find(([pattern]) => pattern.test(code) || pattern.test(message))
  const sentence: Sentence | undefined = isCut ? lost : known?.[1]
  if (sentence) return unavailable(detailOf(sentence, address, failure), cause)
  return new AppError('SERVER_ERROR', { detail: ({ postgres }) => postgres.driverFailed, cause })
}

/** The address, and the server's name for messages. */
type Named = Address & { readonly place: string }
type Sentence = (details: Parameters<Detail>[0], address: Named, message: string) => string

const detailOf =
  (sentence: Sentence, address: Address, { message }: Failure): Detail =>
  (details) =>
    sentence(details, { ...address, place: placeOf(address) }, message)

/** Codes of temporary failures. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(['BUSY', 'DATABASE_UNAVAILABLE', 'QUERY_TIMEOUT'])

const lost: Sentence = ({ postgres }, { place }) => postgres.lost(place)
const wrongPassword: Sentence = ({ postgres }, { place, user }) =>
  postgres.wrongPassword(place, user)
const rejected: Sentence = ({ postgres }, { place, user }, message) =>
  /no encryption|SSL off/.test(message) ? postgres.wantsTls(place) : postgres.notLetIn(place, user)
const noDatabase: Sentence = ({ postgres }, { place, database }) =>
  postgres.noDatabase(place, database)

/** By SQLSTATE or its beginning; the first match decides. */
const STATES: readonly (readonly [prefix: string, ErrorCode, Sentence])[] = [
  ['08', 'DATABASE_UNAVAILABLE', lost],
  ['25006', 'TABLE_READ_ONLY', ({ postgres }, { database }) => postgres.standby(database)],
  ['28P01', 'DATABASE_UNAVAILABLE', wrongPassword],
  ['28', 'DATABASE_UNAVAILABLE', rejected],
  ['3D000', 'DATABASE_UNAVAILABLE', noDatabase],
  ['40', 'BUSY', ({ postgres }) => postgres.inTheWay],
  ['42501', 'FORBIDDEN', ({ postgres }, { user }) => postgres.noPrivilege(user)],
  ['53100', 'DATABASE_UNAVAILABLE', ({ postgres }) => postgres.diskFull],
  ['53300', 'BUSY', ({ postgres }, { place }) => postgres.noConnection(place)],
  ['53', 'DATABASE_UNAVAILABLE', ({ postgres }) => postgres.exhausted],
  ['55P03', 'BUSY', ({ postgres }) => postgres.locked],
  ['57014', 'QUERY_TIMEOUT', ({ database }) => database.ended],
  ['57P', 'DATABASE_UNAVAILABLE', ({ postgres }, { place }) => postgres.restarting(place)],
]

const NOT_POSTGRES =
  /error establishing an SSL|invalid response|unexpected \w+ message|Unknown authenticationOk|ERR_SSL_WRONG_VERSION_NUMBER/
const HUNG_UP = /^(ECONNRESET|EPIPE|ECONNABORTED)$|^Connection terminated/
const OTHER_NAME = /^ERR_TLS_CERT_ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/
const UNKNOWN_AUTHORITY = /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_)/

/** By Node's code or the driver's message; the first match decides. */
const CONNECTION_FAILURES: readonly (readonly [RegExp, Sentence])[] = [
  [/^ECONNREFUSED$/, ({ postgres }, { place }) => postgres.notListening(place)],
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/, ({ postgres }, { host }) => postgres.noHost(host)],
  [/^(ENOENT|EACCES)$/, ({ postgres }, { place }) => postgres.noSocket(place)],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, ({ postgres }, { host }) => postgres.noWay(host)],
  [LATE, ({ postgres }, { place }) => postgres.silent(place)],
  [/does not support SSL/, ({ postgres }, { place, tlsMode }) => postgres.noTls(place, tlsMode)],
  [NOT_POSTGRES, ({ postgres }, { place }) => postgres.notPostgres(place)],
  [/^CERT_HAS_EXPIRED$/, ({ postgres }, { place }) => postgres.certificateExpired(place)],
  [OTHER_NAME, ({ postgres }, { host }) => postgres.certificateName(host)],
  [UNKNOWN_AUTHORITY, ({ postgres }, { place }) => postgres.certificateUnknown(place)],
  [TLS_CODE, ({ postgres }, { place }) => postgres.tlsFailed(place)],
  [/client password must be/, ({ postgres }, { place, user }) => postgres.noPassword(place, user)],
  [/^SASL/, ({ postgres }, { place }) => postgres.signInFailed(place)],
  [HUNG_UP, ({ postgres }, { place }) => postgres.hungUp(place)],
]
