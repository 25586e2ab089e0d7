/** Parses the URL of a PostgreSQL database. */

import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { AppError, type Detail } from '../../server/app-error.ts'

/** The messages about PostgreSQL. */
type Sentences = Parameters<Detail>[0]['postgres']

/** As in libpq, from no encryption to a certificate that must name the host. */
const TLS_MODES = [
  'disable',
  'allow',
  'prefer',
  'require',
  'no-verify',
  'verify-ca',
  'verify-full',
] as const

export type TlsMode = (typeof TLS_MODES)[number]

export type Address = {
  /** Host name, IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  readonly tlsMode: TlsMode
  /** The options for TLS, if it is used. */
  readonly tls: ConnectionOptions
  /** Settings for every connection, as in `?options=-c search_path=shop`. */
  readonly options: string | undefined
}

/** The server's name for messages; contains no password. */
export const placeOf = ({ host, port }: Address): string =>
  host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Values for what the address leaves out, by the names of libpq's variables. */
type Defaults = Readonly<Record<string, string | undefined>>

/**
 * Throws `DATABASE_UNAVAILABLE` with one plain sentence, which never contains the address, because of
 * its password.
 */
export function readAddress(text: string, defaults: Defaults = {}): Address {
  const url = parse(text)
  const given = url.searchParams
  const user = decoded(url.username) || given.get('user') || defaults['PGUSER'] || 'postgres'
  const host =
    given.get('host') || decoded(unbracketed(url.hostname)) || defaults['PGHOST'] || 'localhost'
  const tlsMode = readTlsMode(given, host, defaults)
  return {
    host,
    port: readPort(url.port || given.get('port') || defaults['PGPORT'] || '5432'),
    user,
    password: decoded(url.password) || given.get('password') || defaults['PGPASSWORD'] || undefined,
    database:
      decoded(url.pathname.slice(1)) || given.get('dbname') || defaults['PGDATABASE'] || user,
    tlsMode,
    tls: tlsMode === 'disable' ? {} : tlsOptions(tlsMode, given),
    options: given.get('options') ?? undefined,
  }
}

function parse(text: string): URL {
  // The URL of a Unix socket has no host, but `URL` requires one after a user.
  const url = URL.parse(text) ?? URL.parse(text.replace(/@(?=[/?]|$)/, '@localhost'))
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw wrong(({ addressUnreadable }) => addressUnreadable)
  return url
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw wrong(({ addressEncoding }) => addressEncoding)
  }
}

const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

function readPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw wrong(({ addressPort }) => addressPort(text))
}

/** By default encrypted if the server supports it; never through a Unix socket. */
function readTlsMode(given: URLSearchParams, host: string, defaults: Defaults): TlsMode {
  if (host.startsWith('/')) return 'disable'
  const ssl = given.get('ssl')
  const said = given.get('sslmode') ?? (ssl === null ? undefined : tlsModeOf(ssl))
  const mode = said ?? defaults['PGSSLMODE'] ?? 'prefer'
  const known = TLS_MODES.find((one) => one === mode)
  if (known) return known
  throw wrong(({ addressTls }) => addressTls(mode, TLS_MODES.join(', ')))
}

const tlsModeOf = (ssl: string): string =>
  ssl === '0' || ssl === 'false' ? 'disable' : ssl === 'no-verify' ? ssl : 'require'

function tlsOptions(mode: TlsMode, given: URLSearchParams): ConnectionOptions {
  const root = given.get('sslrootcert')
  const [cert, key] = [given.get('sslcert'), given.get('sslkey')]
  // With a root certificate, `require` also verifies the server's, as in libpq.
  const isChecked =
    mode === 'verify-ca' ||
    mode === 'verify-full' ||
    (mode === 'require' && root !== null && root !== 'system')
  return {
    rejectUnauthorized: isChecked,
    ...(root !== null && root !== 'system' && { ca: readCertificate(root) }),
    ...(cert !== null && { cert: readCertificate(cert) }),
    ...(key !== null && { key: readCertificate(key) }),
    ...(isChecked && mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

function readCertificate(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw wrong(({ addressFile }) => addressFile(file), error)
  }
}

const wrong = (what: (sentences: Sentences) => string, cause?: unknown): AppError =>
  new AppError('DATABASE_UNAVAILABLE', {
    detail: ({ postgres }) => postgres.badAddress(what(postgres)),
    cause,
  })
