/** Turns errors of MySQL and MariaDB into `AppError`s. */

import { AppError, type Detail } from '../../server/app-error.ts'
import { outdated, refused, timedOut, unavailable } from '../failure.ts'
import { propertyOf } from '../../server/property-of.ts'

/** A failure: the server's number or Node's code, and the message. */
export type Failure = {
  /** The server's error number; `null` for a failure on the client's side. */
  readonly errno: number | null
  readonly code: string
  readonly message: string
  readonly sqlState: string | null
}

/** The server, user and database, for messages. Contains no secret. */
export type ServerInfo = {
  /** `host:port`, or the path of a socket. */
  readonly server: string
  readonly user: string
  readonly database: string
}

export function failureOf(error: unknown): Failure {
  const [errno, code, sqlMessage, sqlState] = ['errno', 'code', 'sqlMessage', 'sqlState'].map(
    (name) => propertyOf(error, name),
  )
  const message = error instanceof Error ? error.message : String(error)
  return {
    errno: typeof sqlState === 'string' && typeof errno === 'number' ? errno : null,
    code: typeof code === 'string' ? code : '',
    message: typeof sqlMessage === 'string' ? sqlMessage : message,
    sqlState: typeof sqlState === 'string' ? sqlState : null,
  }
}

const has =
  (...errnos: readonly number[]) =>
  ({ errno }: Failure): boolean =>
    errno !== null && errnos.includes(errno)

const LOST_CODES = new Set(['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'])
const isLostErrno = has(
  1053,
  1077,
  1078,
  1079,
  1152,
  1159,
  1160,
  1161,
  1184,
  1927,
  2006,
  2013,
  4031,
)

/** Whether the connection was lost during a statement, which may or may not have taken effect. */
export const isLost = (failure: Failure): boolean =>
  isLostErrno(failure) ||
  LOST_CODES.has(failure.code) ||
  (failure.errno === null && /closed state|Connection lost/.test(failure.message))

/** Whether the server cancelled the statement on request. */
export const isInterrupted = has(1317)

/** Whether the server cancelled the statement at its time limit. */
const isTimeLimit = has(1969, 3024, 1907)

/** Whether the server rolled the transaction back because of a deadlock. */
export const isDeadlock = has(1213, 1614)

/** Whether the server does not know a setting, or the user may not change it. */
export const isUnsettable = has(1193, 1227, 1231)

/** Whether another transaction was in the way; a retry may succeed. */
export const isLocked = has(1205, 1213, 3572, 1614)

/** Whether a table, column or index in a statement no longer exists. */
export const isOutdated = has(1146, 1054, 1051, 1109, 1176, 1356, 1412, 1449, 1615)

/** Whether the database user lacks a privilege on a table, a column or what a view uses. */
export const isDenied = has(1142, 1143, 1227, 1370)

const isReadOnly = has(1290, 1792, 1836, 1874)
const isFull = has(1021, 1114)
/** Whether the server, or this user, has too many connections. */
export const hasNoConnection = has(1040, 1203, 1226)

/** The error as an `AppError`; an `AppError` is returned unchanged. `timeoutMs` was the time limit. */
export function toAppError(error: unknown, info: ServerInfo, timeoutMs: number): AppError {
  if (error instanceof AppError) return error
  const failure = failureOf(error)
  const cause = causeOf(failure)
  if (isTimeLimit(failure)) return timedOut(timeoutMs, cause)
  if (isLocked(failure)) return busy(({ mysql }) => mysql.locked, cause)
  if (hasNoConnection(failure)) return busy(({ mysql }) => mysql.noConnection(info.server), cause)
  if (isDenied(failure))
    return new AppError('FORBIDDEN', { detail: deniedSentence(failure, info), cause })
  if (isReadOnly(failure)) return readOnly(info, cause)
  if (isOutdated(failure)) return outdated(info.database, failure.message, cause)
  const sentence = sentenceOf(failure)
  if (sentence) return unavailable(detailOf(sentence, info, failure), cause)
  const { errno, code, message } = failure
  if (errno !== null) return refused(message, cause)
  return new AppError('SERVER_ERROR', {
    detail: ({ mysql }) => mysql.failed(code),
    cause,
  })
}

/** A cause without the statement, which the driver's errors contain and a log must not. */
const causeOf = ({ errno, code, message }: Failure): Error =>
  new Error([code, errno, message].filter(Boolean).join(' '))

const busy = (detail: Detail, cause?: unknown): AppError =>
  new AppError('BUSY', { detail, cause, retryAfter: 1 })

const readOnly = ({ server }: ServerInfo, cause: unknown): AppError =>
  new AppError('TABLE_READ_ONLY', { detail: ({ mysql }) => mysql.readOnly(server), cause })

/** For a statement of more bytes than the server takes, which was not sent. */
export const tooLarge = (most: number): AppError =>
  new AppError('REFUSED', {
    detail: ({ mysql }, number) => mysql.moreThanPacket(number(Math.floor(most / 1024 ** 2))),
  })

/** For tables of storage engines without transactions. */
export const withoutUndo = (table: string, engine: string): AppError =>
  new AppError('TABLE_READ_ONLY', { detail: ({ mysql }) => mysql.noUndo(table, engine) })

/** For an invalid database URL. The message never contains the URL, because of its password. */
export const badAddress = (what: (words: Words) => string, cause?: unknown): AppError =>
  unavailable(({ mysql }) => mysql.badAddress(what(mysql)), cause)

export const tooOld = (engine: string): AppError => unavailable(({ mysql }) => mysql.tooOld(engine))

type Details = Parameters<Detail>[0]
type Words = Details['mysql']
type Sentence = (details: Details, info: ServerInfo, failure: Failure) => string

const detailOf =
  (sentence: Sentence, info: ServerInfo, failure: Failure): Detail =>
  (details) =>
    sentence(details, info, failure)

/** `SELECT command denied to user … for column 'c' in table 't'`, `… for table `d`.`t``. */
function deniedSentence({ message }: Failure, { user }: ServerInfo): Detail {
  const privilege = /^(\w[\w ]*?) command denied/.exec(message)?.[1] ?? 'SELECT'
  const column = /for column '([^']*)'/.exec(message)?.[1]
  const [, direct, after] =
    /for table (?:`[^`]*`\.)?[`']([^`']*)[`']|in table '([^']*)'/.exec(message) ?? []
  const table = direct ?? after
  return ({ mysql }) => {
    const known = table === undefined ? mysql.something : mysql.thing(table)
    const what = column && table ? mysql.partOf(column, table) : known
    return privilege === 'SELECT'
      ? mysql.mayNotRead(user, what)
      : mysql.mayNotWrite(user, what, privilege)
  }
}

function sentenceOf(failure: Failure): Sentence | undefined {
  if (isLost(failure)) return ({ mysql }, { server }) => mysql.lost(server)
  if (isInterrupted(failure)) return ({ database }) => database.ended
  if (isFull(failure) || /No space left|errno: 28\b/.test(failure.message))
    return ({ mysql }) => mysql.diskFull
  return BY_ERRNO[failure.errno ?? -1] ?? BY_CODE[failure.code]
}

const notLetIn: Sentence = ({ mysql }, { server, user }) => mysql.notLetIn(server, user)
const nobodyLetIn: Sentence = ({ mysql }, { server }) => mysql.nobodyLetIn(server)
const unknownSignIn: Sentence = ({ mysql }, { server, user }) => mysql.unknownSignIn(server, user)
const expired: Sentence = ({ mysql }, { user }) => mysql.expired(user)
const silent: Sentence = ({ mysql }, { server }) => mysql.silent(server)
const notMysql: Sentence = ({ mysql }, { server }) => mysql.notMysql(server)
const noHost: Sentence = ({ mysql }, { server }) => mysql.noHost(server)
const noSocket: Sentence = ({ mysql }, { server }) => mysql.noSocket(server)

const BY_ERRNO: Readonly<Record<number, Sentence>> = {
  1044: ({ mysql }, { user, database }) => mysql.closedDatabase(user, database),
  1045: notLetIn,
  1698: notLetIn,
  3118: notLetIn,
  4151: notLetIn,
  1049: ({ mysql }, { server, database }) => mysql.noDatabase(server, database),
  1129: nobodyLetIn,
  1130: nobodyLetIn,
  1153: ({ mysql }) => mysql.tooLarge,
  1251: unknownSignIn,
  1820: expired,
  1862: expired,
  3159: ({ mysql }, { server }) => mysql.wantsTls(server),
}

/** The code of a connection that ended before the server's greeting. */
export const NO_GREETING = 'NO_GREETING'

const BY_CODE: Readonly<Record<string, Sentence>> = {
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  ECONNREFUSED: ({ mysql }, { server }) => mysql.notListening(server),
  ENOENT: noSocket,
  EACCES: noSocket,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  HANDSHAKE_NO_SSL_SUPPORT: ({ mysql }, { server }) => mysql.noTls(server),
  // Node's message about the certificate, without its full stop.
  HANDSHAKE_SSL_ERROR: ({ mysql }, { server }, { message }) =>
    mysql.certificate(server, message.replace(/[.\s]+$/, '')),
  [NO_GREETING]: ({ mysql }, { server }) => mysql.hungUp(server),
  HANDSHAKE_UNKNOWN_ERROR: notMysql,
  PROTOCOL_INCORRECT_PACKET_SEQUENCE: notMysql,
  AUTH_SWITCH_PLUGIN_ERROR: unknownSignIn,
  ERR_BUFFER_OUT_OF_BOUNDS: notMysql,
  ERR_OUT_OF_RANGE: notMysql,
}
