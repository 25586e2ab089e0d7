/** Settings of the command: a flag, else the environment, else the default. */

import { parseArgs } from 'node:util'

export type Settings = {
  readonly database: string
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  readonly signInLink: boolean
}

/** Something the person who started the command can put right; its message is one sentence. */
export class SettingsError extends Error {}

export const USAGE = `Usage: tablewire <database> [options]

  <database>          an SQLite file

  --host HOST         address to listen on (127.0.0.1)
  --port PORT         port to listen on, 0 for any free one (4600)
  --data FOLDER       where Tablewire keeps its own records (.tablewire)
  --database URL      the database, as an option
  --sign-in-link      print a fresh one-time sign-in link
  --help, --version

Every option may come from the environment: HOST, PORT, TABLEWIRE_DATA, DATABASE_URL.
`

const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
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
  const settings = {
    database,
    host: values.host ?? env['HOST'] ?? '127.0.0.1',
    port: readPort(values.port ?? env['PORT'] ?? '4600'),
    dataFolder: values.data ?? env['TABLEWIRE_DATA'] ?? '.tablewire',
    signInLink: values['sign-in-link'] ?? false,
  }
  return { kind: 'run', settings }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (cause) {
    const [sentence = ''] = (cause as Error).message.split('. ', 1)
    throw new SettingsError(`${sentence}. Run tablewire --help for the options.`, { cause })
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new SettingsError(`The port [${text}] is not a number from 0 to 65535.`)
}
