/** `tablewire <database>`: serves the admin of a database until a signal stops it. */

import { join } from 'node:path'
import type { Admin, AdminOptions } from '../admin/compose/admin-options.ts'
import type { RowSource } from '../table/source/row-source.ts'
import { CLIENT_PARTS } from '../admin/compose/client-folders.ts'
import { builtClient } from './client/client-file.ts'
import { type ConfigFile, loadConfig } from './config-file.ts'
import { makeDataFolder } from './data-folder.ts'
import { DEV_CODE, sendAddress } from './dev/followed.ts'
import { openChecked } from './open-checked.ts'
import { findServer, noteServer } from './running-server.ts'
import { say, version } from './say.ts'
import { type Command, readDataFolder, readRecords, type Settings } from './settings.ts'
import { logWithoutSecrets } from './without-secrets.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])
/** The loopback address of a server that listens on all interfaces. */
const LOOPBACK_OF: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export async function serve(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const file = await loadConfig(command.flags.config)
  if (command.flags['sign-in-link'] && (await linkToRunning(command, env, file))) return
  // Loads the admin while the database opens; `start` reports it if that fails.
  loadAdmin().catch(() => undefined)
  const { settings, source } = await openChecked(command, env, file)
  const admin = await start({ settings, source, file, env }).catch(async (error: unknown) => {
    await source.close()
    throw error
  })
  try {
    await admin.app.listen({ host: settings.host, port: settings.port })
    if (env[DEV_CODE] !== undefined) sendAddress(admin.app.server.address(), namesOf(settings))
    const { origin = addressOf(admin, settings.host), prefix = '' } = settings.url ?? {}
    const address = addressOf(admin, LOOPBACK_OF[settings.host] ?? settings.host)
    const removeNote = await noteServer(settings.dataFolder, {
      address: address + prefix,
      origin: origin + prefix,
      hasUrl: settings.url !== undefined,
      pid: process.pid,
    })
    await announce(admin, { settings, origin, takesChanges: source.writing?.isAllowed() ?? true })
    await untilStopped()
    await removeNote()
  } finally {
    await admin.close()
  }
}

/** The names of hosts that a page of `tablewire dev` may be asked for by. */
const namesOf = ({ host, url }: Settings): string[] =>
  url === undefined ? [host] : [host, new URL(url.origin).hostname]

const loadAdmin = () => import('../admin/compose/create-admin.ts')

type Started = {
  settings: Settings
  source: RowSource
  file: ConfigFile | undefined
  env: NodeJS.ProcessEnv
}

/** Creates the admin from settings and configuration. */
async function start({ settings, source, file, env }: Started): Promise<Admin> {
  const { dataFolder, metadata, url, trustProxy, write, historyDays } = settings
  const { policy, tables, roles, kinds, components, pages, channels, jobs } = file?.config ?? {}
  const { live, bus, s3, fetchFrom, signIn } = file?.config ?? {}
  const client = builtClient(file)
  makeDataFolder(dataFolder, (line) => console.error(line))
  const extend = await liveReloadFor(env, client, url?.prefix)
  const { createAdmin } = await loadAdmin()
  return createAdmin({
    source,
    dataFolder,
    env,
    ...(metadata !== undefined && { metadata }),
    ...(url === undefined ? { hosts: [settings.host] } : { url: url.origin, prefix: url.prefix }),
    ...(trustProxy !== undefined && { trustProxy }),
    ...(write !== undefined && { write }),
    ...(historyDays !== undefined && { historyDays }),
    ...(bus && { bus }),
    ...(s3 && { s3 }),
    ...(fetchFrom && { fetchFrom }),
    ...(signIn && { signIn }),
    ...(policy && { policy }),
    ...(tables && { definitions: tables }),
    ...(roles && { roles }),
    ...(kinds && { kinds }),
    ...(components && { components }),
    ...(pages && { pages }),
    ...(channels && { channels }),
    ...(jobs && { jobs }),
    ...(live !== undefined && { live }),
    ...(client !== undefined && { client }),
    ...(extend && { extend }),
    log: logWithoutSecrets,
  })
}

/** Adds live reload, if `tablewire dev` has started this process. */
async function liveReloadFor(
  env: NodeJS.ProcessEnv,
  client: string | undefined,
  prefix: string | undefined,
): Promise<AdminOptions['extend']> {
  const code = env[DEV_CODE]
  if (code === undefined) return undefined
  const { liveReload } = await import('./dev/live-reload.ts')
  return liveReload({ code, folder: client && join(client, CLIENT_PARTS.browser), prefix })
}

/** Prints a sign-in link for the server that runs on the data folder; `false` if none does. */
async function linkToRunning(
  command: Command,
  env: NodeJS.ProcessEnv,
  file: ConfigFile | undefined,
): Promise<boolean> {
  const dataFolder = readDataFolder(command, env, file?.config)
  const server = await findServer(dataFolder)
  if (!server) return false
  const { signInLinkFrom } = await import('../admin/sign-in/sign-in-link.ts')
  const link = await signInLinkFrom(readRecords(command, env, file?.config))
  say(`Sign in: ${server.origin}${link}`)
  return true
}

type Told = { settings: Settings; origin: string; takesChanges: boolean }

/** Prints the sign-in link at every start on loopback; elsewhere only the first one, or on demand. */
async function announce(admin: Admin, { settings, origin, takesChanges }: Told): Promise<void> {
  const { schema } = admin.catalog()
  const tables = schema.tables.filter(({ kind }) => kind === 'table').length
  const views = schema.tables.length - tables
  say(`Tablewire ${await version()}`)
  say(
    `Database: ${schema.name}, ${schema.engine}, ${count(tables, 'table')}${views > 0 ? `, ${count(views, 'view')}` : ''}, ${takesChanges ? 'changes allowed' : 'read-only'}`,
  )
  for (const line of hiddenColumns(admin)) say(line)
  say(`Open: ${origin}${settings.url?.prefix ?? ''}`)
  const first = await admin.accounts.needsAdministrator()
  if (LOOPBACK.has(settings.host) || first || settings.signInLink)
    say(`Sign in: ${origin}${await admin.signInLink()}`)
}

/** Names the hidden columns, so that nobody searches for them. */
function hiddenColumns({ catalog }: Admin): string[] {
  const hidden = [...catalog().definitions.values()].flatMap(({ table, columns }) =>
    [...columns.values()].flatMap(({ name, hidden }) => (hidden ? `${table.name}.${name}` : [])),
  )
  const rest = hidden.length - HIDDEN_NAMED
  if (hidden.length === 0) return []
  const names = hidden.slice(0, HIDDEN_NAMED).join(', ')
  return [`Hidden: ${names}${rest > 0 ? `, and ${rest} more` : ''}`]
}

/** How many hidden columns to name. */
const HIDDEN_NAMED = 5

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

function addressOf({ app }: Admin, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Resolves at the first signal; a second one exits at once. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1))
      resolve()
    }
    process.once('SIGINT', stop).once('SIGTERM', stop)
  })
}
