/** Settings of the command: a flag, else the environment, else the configuration, else the default. */

import { parseArgs } from 'node:util'
import type { AdminConfig } from '../admin/compose/define-admin.ts'
import { type PublicUrl, readProxies, readPublicUrl } from '../admin/origin.ts'
import { own } from '../table/definition/define-table.ts'
import { messageOf } from './errors.ts'

export type Settings = {
  readonly database: string
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  /** Where its own records are; left out, in a file of the data folder. */
  readonly metadata?: string
  readonly signInLink: boolean
  /** Whether the database takes changes; left out, an administrator decides in the page. */
  readonly write?: boolean
  /** How long the history of changes is kept, days. */
  readonly historyDays?: number
  readonly url?: PublicUrl
  readonly trustProxy?: number | string
}

/** A mistake that the person who started the command can fix; its message says how. */
export class SettingsError extends Error {}

export const USAGE = `Usage: tablewire <database> [options]
       tablewire eject [database]   writes tablewire.config.ts with all that is inferred
       tablewire types [database]   writes tablewire.schema.ts, the type of the database
       tablewire move [database]    copies Tablewire's own records from the data folder to where
                                    --metadata says
       tablewire people [database]  lists who may come in; with invite E-MAIL or reset E-MAIL behind
                                    it, prints a link by which that person chooses a password
       tablewire triggers           prints SQL by which PostgreSQL tells of writes at once
       tablewire build              builds tablewire.client.tsx into dist-client
       tablewire dev [database]     serves, and follows every change to code beside it

  <database>          an SQLite file, or an address such as postgres://user@host/shop or
                      mysql://user@host/shop; not needed where tablewire.config.ts names one

  --host HOST         address to listen on (127.0.0.1)
  --port PORT         port to listen on, 0 for any free one (4600)
  --write             allow changes from the start; without it, an administrator allows them in
                      the page
  --data FOLDER       where Tablewire keeps its secret, and its own records (.tablewire)
  --metadata WHERE    keep the records elsewhere: beside creates tables named tablewire_… in the
                      database itself; an address names another database
  --history-days DAYS how long the history of changes is kept (90)
  --database URL      the database, as an option
  --url URL           where browsers reach it, such as https://admin.example.org, or under a path,
                      such as https://example.org/db
  --trust-proxy WHICH proxies before it: how many, or their addresses with commas between
  --config FILE       the configuration (tablewire.config.ts, .js or .mjs, where there is one)
  --out FILE          what eject and types write; the folder that build writes
  --name NAME         the name of whom people invite invites
  --role ROLE         their role: admin, editor, viewer or one that is defined (viewer)
  --sign-in-link      print a fresh one-time sign-in link; where a server runs on the data folder
                      already, for that one, and none is started
  --help, --version

Every setting may come from the environment: HOST, PORT, TABLEWIRE_DATA, TABLEWIRE_METADATA,
TABLEWIRE_WRITE (true or false), TABLEWIRE_HISTORY_DAYS, DATABASE_URL, TABLEWIRE_URL, TRUST_PROXY. REDIS_URL
connects several nodes; S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and
others keep uploaded files in S3 (docs/uploads.md).
`

const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  metadata: { type: 'string' },
  'history-days': { type: 'string' },
  database: { type: 'string' },
  url: { type: 'string' },
  'trust-proxy': { type: 'string' },
  config: { type: 'string' },
  out: { type: 'string' },
  name: { type: 'string' },
  role: { type: 'string' },
  'sign-in-link': { type: 'boolean' },
  write: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** Those with a name; without one, the command serves. */
const NAMED = ['eject', 'types', 'move', 'people', 'triggers', 'build', 'dev'] as const

const COMMANDS = ['help', 'version', 'serve', ...NAMED] as const

/** The parsed command line. */
export type Command = {
  readonly name: (typeof COMMANDS)[number]
  /** The database, if the command line names it. */
  readonly database?: string | undefined
  /** What `people` is to do with a person; left out, it lists them all. */
  readonly person?: { readonly what: (typeof PERSON)[number]; readonly email: string } | undefined
  readonly flags: ReturnType<typeof parse>['values']
}

const PERSON = ['invite', 'reset'] as const

/** Throws `SettingsError` for an unknown flag or more than one database. */
export function readCommand(args: readonly string[]): Command {
  const { values: flags, positionals } = parse(args)
  if (flags.help) return { name: 'help', flags }
  if (flags.version) return { name: 'version', flags }
  const [first] = positionals
  const name = NAMED.find((command) => command === first) ?? 'serve'
  const { names, person } = readPerson(name, name === 'serve' ? positionals : positionals.slice(1))
  if (name === 'build' && names.length > 0)
    throw new SettingsError('A build is of tablewire.client.tsx, and needs no database.')
  if (name === 'triggers' && names.length > 0)
    throw new SettingsError(
      'The triggers are the same for each database: tablewire triggers | psql …',
    )
  if (names.length > 1) throw new SettingsError(`Name one database, not ${names.length}.`)
  if (flags.out !== undefined && (name === 'serve' || name === 'dev'))
    throw new SettingsError(
      '--out says what eject and types write, and where build does. Run tablewire --help.',
    )
  if ((flags.name !== undefined || flags.role !== undefined) && person?.what !== 'invite')
    throw new SettingsError('--name and --role belong to tablewire people invite E-MAIL.')
  return { name, database: names[0] ?? flags.database, person, flags }
}

/** Takes what is to be done with a person off the names of databases. */
function readPerson(
  name: Command['name'],
  names: string[],
): { names: string[]; person: Command['person'] } {
  const at = names.findIndex((one) => PERSON.some((what) => what === one))
  const what = PERSON.find((one) => one === names[at])
  if (name !== 'people' || what === undefined) return { names, person: undefined }
  const [email, ...more] = names.slice(at + 1)
  if (email === undefined || more.length > 0)
    throw new SettingsError(`Name one address: tablewire people ${what} ana@example.org`)
  return { names: names.slice(0, at), person: { what, email } }
}

/** The folder for Tablewire's own records. */
export const readDataFolder = (
  { flags }: Command,
  env: NodeJS.ProcessEnv,
  config: AdminConfig = {},
): string => flags.data ?? env['TABLEWIRE_DATA'] ?? config.data ?? '.tablewire'

/** `undefined` for the file in the data folder. */
const readMetadata = (
  { flags }: Command,
  env: NodeJS.ProcessEnv,
  config: AdminConfig = {},
): string | undefined => flags.metadata || env['TABLEWIRE_METADATA'] || config.metadata || undefined

/** Where its own records are, as `openRecords` takes it. */
export function readRecords(command: Command, env: NodeJS.ProcessEnv, config: AdminConfig = {}) {
  const metadata = readMetadata(command, env, config)
  const beside =
    metadata === 'beside'
      ? { address: readDatabase(command, env, config), environment: env }
      : undefined
  return { dataFolder: readDataFolder(command, env, config), metadata, beside, env }
}

/** The database to open. Throws `SettingsError` if none is named. */
export function readDatabase(
  command: Command,
  env: NodeJS.ProcessEnv,
  config: AdminConfig = {},
): string {
  const named = command.database || env['DATABASE_URL'] || config.database
  if (named) return named
  const folder = readDataFolder(command, env, config)
  throw new SettingsError(
    command.flags['sign-in-link']
      ? `No Tablewire runs on the data folder [${folder}]. Name another one with --data, or a database to start with: tablewire ./some.sqlite --sign-in-link`
      : 'Name a database: tablewire ./some.sqlite or tablewire postgres://…, DATABASE_URL, or database in tablewire.config.ts.',
  )
}

const readListening = ({ flags }: Command, env: NodeJS.ProcessEnv, config: AdminConfig) => ({
  host: flags.host ?? env['HOST'] ?? config.host ?? '127.0.0.1',
  port: readPort(flags.port ?? env['PORT'] ?? String(config.port ?? 4600)),
})

function readUrl(
  { flags }: Command,
  env: NodeJS.ProcessEnv,
  config: AdminConfig,
): PublicUrl | undefined {
  const url = flags.url ?? env['TABLEWIRE_URL'] ?? config.url
  return url ? publicUrlOf(url) : undefined
}

/** Where browsers reach a server that is started with these settings, with its prefix, and whether a URL says so. */
export function readAddress(
  command: Command,
  env: NodeJS.ProcessEnv,
  config: AdminConfig = {},
): { address: string; hasUrl: boolean } {
  const url = readUrl(command, env, config)
  if (url) return { address: url.origin + url.prefix, hasUrl: true }
  const { host, port } = readListening(command, env, config)
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return { address, hasUrl: false }
}

/** Throws `SettingsError` for a bad port, address or proxy, or a missing database. */
export function readSettings(
  command: Command,
  env: NodeJS.ProcessEnv,
  config: AdminConfig = {},
): Settings {
  const { flags } = command
  const url = readUrl(command, env, config)
  const write = flags.write ?? readWrite(env['TABLEWIRE_WRITE']) ?? config.write
  const metadata = readMetadata(command, env, config)
  const days = flags['history-days'] || env['TABLEWIRE_HISTORY_DAYS'] || config.historyDays
  const trustProxy = flags['trust-proxy'] ?? env['TRUST_PROXY'] ?? config.trustProxy
  return {
    database: readDatabase(command, env, config),
    ...readListening(command, env, config),
    dataFolder: readDataFolder(command, env, config),
    signInLink: flags['sign-in-link'] ?? false,
    ...(metadata !== undefined && { metadata }),
    ...(write !== undefined && { write }),
    ...(days && { historyDays: readDays(String(days)) }),
    ...(url && { url }),
    ...(trustProxy && { trustProxy: proxiesOf(String(trustProxy)) }),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (cause) {
    const [sentence = ''] = messageOf(cause).split(/\.(?:\s|$)/, 1)
    throw new SettingsError(`${sentence}. Run tablewire --help for the options.`, { cause })
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new SettingsError(`The port [${text}] is not a number from 0 to 65535.`)
}

function readDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new SettingsError(`The history cannot be kept for [${text}] days: name 1 to 99999.`)
}

const WRITE: { readonly [text: string]: boolean } = { true: true, 1: true, false: false, 0: false }

function readWrite(text: string | undefined): boolean | undefined {
  if (!text) return undefined
  const write = own(WRITE, text)
  if (write !== undefined) return write
  throw new SettingsError(`TABLEWIRE_WRITE is [${text}]; it must be true or false.`)
}

function publicUrlOf(text: string): PublicUrl {
  const url = readPublicUrl(text)
  if (url !== undefined) return url
  throw new SettingsError(
    `The URL [${text}] is not like https://admin.example.org or https://example.org/db.`,
  )
}

function proxiesOf(text: string): number | string {
  const proxies = readProxies(text)
  if (proxies !== undefined) return proxies
  throw new SettingsError(
    `The proxies [${text}] are neither a number from 1 to 99 nor addresses such as 10.0.0.0/8.`,
  )
}
