/** Settings of the command: a flag, else the environment, else the default. */

import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

export type Settings = {
  readonly database: string
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  readonly signInLink: boolean
  /** Where browsers reach it, without a slash at the end. */
  readonly url?: string
  readonly trustProxy?: number | string
}

/** Something the person who started the command can put right; its message is one sentence. */
export class SettingsError extends Error {}

export const USAGE = `Usage: tablewire <database> [options]

  <database>          an SQLite file

  --host HOST         address to listen on (127.0.0.1)
  --port PORT         port to listen on, 0 for any free one (4600)
  --data FOLDER       where Tablewire keeps its own records (.tablewire)
  --database URL      the database, as an option
  --url URL           where browsers reach it, such as https://admin.example.org
  --trust-proxy WHICH proxies before it: how many, or their addresses with commas between
  --sign-in-link      print a fresh one-time sign-in link
  --help, --version

Every option may come from the environment: HOST, PORT, TABLEWIRE_DATA, DATABASE_URL,
TABLEWIRE_URL, TRUST_PROXY.
`

const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
  url: { type: 'string' },
  'trust-proxy': { type: 'string' },
  'sign-in-link': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

export type Parsed =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly settings: Settings }

/** Throws `SettingsError` for an unknown flag, a bad port, or a missing database. */
export function readSettings(args: readonly string[], env: NodeJS.ProcessEnv): Parsed {
  const { values, positionals } = parse(args)
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  if (positionals.length > 1)
    throw new SettingsError(`Name one database, not ${positionals.length}.`)
  const database = positionals[0] ?? values.database ?? env['DATABASE_URL']
  if (!database) throw new SettingsError('Name a database: tablewire ./some.sqlite')
  const url = values.url ?? env['TABLEWIRE_URL']
  const trustProxy = values['trust-proxy'] ?? env['TRUST_PROXY']
  const settings = {
    database,
    host: values.host ?? env['HOST'] ?? '127.0.0.1',
    port: readPort(values.port ?? env['PORT'] ?? '4600'),
    dataFolder: values.data ?? env['TABLEWIRE_DATA'] ?? '.tablewire',
    signInLink: values['sign-in-link'] ?? false,
    ...(url && { url: readOrigin(url) }),
    ...(trustProxy && { trustProxy: readProxies(trustProxy) }),
  }
  return { kind: 'run', settings }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (cause) {
    const [sentence = ''] = (cause as Error).message.split(/\.(?:\s|$)/, 1)
    throw new SettingsError(`${sentence}. Run tablewire --help for the options.`, { cause })
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new SettingsError(`The port [${text}] is not a number from 0 to 65535.`)
}

/** Pages stand at the root of their host, so the address has nothing after it. */
function readOrigin(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new SettingsError(
    `The URL [${text}] is not like https://admin.example.org, without a path.`,
  )
}

function readProxies(text: string): number | string {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const parts = text.split(',').map((part) => part.trim())
  if (parts.every(isNetwork)) return parts.join(',')
  throw new SettingsError(
    `The proxies [${text}] are neither a number from 1 to 99 nor addresses such as 10.0.0.0/8.`,
  )
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  )
}
