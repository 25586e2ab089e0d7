/** Reads a PostgreSQL address: where the database is, who asks, and how safe the way there must be. */

import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { AppError, type Detail } from '../../server/app-error.ts'

/** The catalogue's words about PostgreSQL. */
type Sentences = Parameters<Detail>[0]['postgres']

/** As libpq has them, from no encryption at all to a certificate that must name the host. */
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
  /** Name, address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  readonly tlsMode: TlsMode
  /** What TLS is set up with, once it is decided that there is any. */
  readonly tls: ConnectionOptions
  /** What the address sets for every session, as in `?options=-c search_path=shop`. */
  readonly options: string | undefined
}

/** Names the database where it is shown or told about: never with the password. */
export const placeOf = ({ host, port }: Address): string =>
  host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`

/** What the address leaves out, by names of libpq's variables. */
type Defaults = Readonly<Record<string, string | undefined>>

/**
 * Throws `DATABASE_UNAVAILABLE` with one plain sentence, which never repeats the address: it may
 * hold a password.
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
  // A URL may lack a host, as that of a Unix socket does; `URL` wants one as soon as there is a user.
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

/** Without a word about it, encrypted wherever the server can. No network, nothing to encrypt. */
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
  // With a root at hand, `require` checks what it is given against it, as libpq does.
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
