/** Parses the URL of a MySQL or MariaDB database. */

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as v from 'valibot'
import { badAddress } from './failure.ts'

/**
 * How the connection is encrypted: never; if the server supports it, the default of all MySQL clients;
 * always; always, with a trusted certificate; always, with a trusted certificate for this host.
 */
export type Tls = 'off' | 'prefer' | 'on' | 'trusted' | 'verified'

export type Address = {
  readonly host: string
  readonly port: number
  /** Path of a socket file, in place of host and port. */
  readonly socket?: string
  readonly user: string
  readonly password: string
  readonly database: string
  readonly tls: Tls
  /** Certificates of the authorities to trust, as PEM. */
  readonly ca?: string
}

const DEFAULT_PORT = 3306

const MODES: Readonly<Record<string, Tls>> = {
  disable: 'off',
  disabled: 'off',
  prefer: 'prefer',
  preferred: 'prefer',
  allow: 'prefer',
  require: 'on',
  required: 'on',
  verify_ca: 'trusted',
  verify_full: 'verified',
  verify_identity: 'verified',
}

const KNOWN_MODES = 'disable, prefer, require, verify-ca, verify-full'

const SWITCHES: Readonly<Record<string, Tls>> = {
  true: 'verified',
  '1': 'verified',
  on: 'verified',
  false: 'off',
  '0': 'off',
  off: 'off',
}

/** Parameters from other programs' URLs that are accepted and ignored. */
const IGNORED = new Set([
  'charset',
  'collation',
  'connection_limit',
  'connectionlimit',
  'pool_timeout',
  'timezone',
])

/**
 * Reads `mysql://user:password@host:port/database?sslmode=…`. Throws `DATABASE_UNAVAILABLE` with
 * one sentence, which never contains the password.
 */
export function readAddress(text: string): Address {
  const url = URL.parse(text)
  if (!url || !/^(mysql|mariadb):\/\//i.test(text))
    throw badAddress((words) => words.addressUnreadable)
  const database = decoded(url.pathname.replace(/^\//, ''))
  if (database === '') throw badAddress((words) => words.addressDatabase)
  if (url.username === '') throw badAddress((words) => words.addressUser)
  const address: Address = {
    host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1') || '127.0.0.1',
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    user: decoded(url.username),
    password: decoded(url.password),
    database,
    tls: 'prefer',
  }
  return checked([...url.searchParams].reduce(withParameter, address))
}

/** The driver cannot verify a certificate for an IP address. */
function checked(address: Address): Address {
  const { host, tls, socket } = address
  if (tls === 'verified' && socket === undefined && isIP(host) !== 0)
    throw badAddress((words) => words.addressNumber(host))
  return address
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw badAddress((words) => words.addressEncoding)
  }
}

function withParameter(address: Address, [name, value]: [string, string]): Address {
  switch (name.toLowerCase().replaceAll('-', '')) {
    case 'sslmode':
      return { ...address, tls: readMode(name, value) }
    case 'ssl':
    case 'tls':
      return { ...address, tls: readSwitch(name, value) }
    case 'sslaccept':
      return { ...address, tls: value === 'strict' ? 'verified' : 'on' }
    case 'sslca':
    case 'sslrootcert':
    case 'sslcert':
      return { ...address, ca: readCertificate(value), tls: trusting(address.tls) }
    case 'socket':
    case 'socketpath':
      return { ...address, socket: value }
    default:
      if (IGNORED.has(name.toLowerCase())) return address
      throw badAddress((words) => words.addressParameter(name))
  }
}

function readMode(name: string, value: string): Tls {
  const mode = MODES[value.toLowerCase().replaceAll('-', '_')]
  if (mode) return mode
  throw badAddress((words) => words.addressTls(`${name}=${value}`, KNOWN_MODES))
}

const sslSchema = v.object({ rejectUnauthorized: v.optional(v.boolean(), true) })

/** `ssl=true` requires a trusted certificate, as everywhere in Node. */
function readSwitch(name: string, value: string): Tls {
  const known = SWITCHES[value.toLowerCase()]
  if (known) return known
  const options = v.safeParse(sslSchema, parsed(value))
  if (!options.success) return readMode(name, value)
  return options.output.rejectUnauthorized ? 'verified' : 'on'
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Naming an authority implies that its certificates are verified. */
const trusting = (tls: Tls): Tls => (tls === 'verified' ? tls : 'trusted')

function readCertificate(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw badAddress((words) => words.addressFile(path), cause)
  }
}
