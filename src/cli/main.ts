/** The `tablewire` command: opens a database, serves its admin, and stops cleanly. */

import { readFile } from 'node:fs/promises'
import { type Admin, createAdmin } from '../admin/create-admin.ts'
import { AppError } from '../server/app-error.ts'
import { makeDataFolder } from './data-folder.ts'
import { openDatabase } from './open-database.ts'
import { readSettings, type Settings, SettingsError, USAGE } from './settings.ts'

const ROOT = new URL('../../', import.meta.url)
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** Runs until it is told to stop. Returns the exit code. */
export async function main(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  try {
    const parsed = readSettings(args, env)
    if (parsed.kind === 'help') return say(USAGE)
    if (parsed.kind === 'version') return say(await version())
    await serve(parsed.settings, env)
    return 0
  } catch (error) {
    console.error(explain(error))
    return 1
  }
}

async function serve(settings: Settings, env: NodeJS.ProcessEnv): Promise<void> {
  makeDataFolder(settings.dataFolder)
  const source = await openDatabase(settings.database)
  const admin = await createAdmin({
    source,
    dataFolder: settings.dataFolder,
    env,
    ...(settings.url !== undefined && { url: settings.url }),
    ...(settings.trustProxy !== undefined && { trustProxy: settings.trustProxy }),
    log: (line, error) => console.error(line, error ?? ''),
  })
  await admin.app.listen({ host: settings.host, port: settings.port })
  await announce(admin, settings)
  await untilStopped()
  await admin.close()
}

/** The link is printed at every start on loopback; elsewhere only at first or when asked for. */
async function announce(admin: Admin, settings: Settings): Promise<void> {
  const { schema } = admin.catalog()
  const origin = settings.url ?? originOf(admin, settings.host)
  const tables = schema.tables.filter(({ kind }) => kind === 'table').length
  const views = schema.tables.length - tables
  say(`Tablewire ${await version()}`)
  say(
    `Database: ${schema.name}, ${schema.engine}, ${count(tables, 'table')}${views > 0 ? `, ${count(views, 'view')}` : ''}, read-only`,
  )
  say(`Open: ${origin}`)
  const first = await admin.accounts.needsAdministrator()
  if (LOOPBACK.has(settings.host) || first || settings.signInLink)
    say(`Sign in: ${origin}${await admin.signInLink()}`)
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

function originOf({ app }: Admin, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The first signal asks; a second one does not wait any longer. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1))
      resolve()
    }
    process.once('SIGINT', stop).once('SIGTERM', stop)
  })
}

async function version(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')) as {
    version: string
  }
  return version
}

function say(line: string): 0 {
  console.log(line)
  return 0
}

/** One sentence for what a person can put right; everything for what they cannot. */
function explain(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  if (error instanceof AppError) return [error.message, error.detail].filter(Boolean).join(' ')
  const { code, address, hostname, port } = error as {
    code?: string
    address?: string
    hostname?: string
    port?: number
  }
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Choose another with --port, or 0 for any free one.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine cannot listen on [${address ?? hostname ?? 'this host'}]. Choose another --host.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be used. Choose one above 1023 with --port.`
  return error instanceof Error ? error.message : String(error)
}
