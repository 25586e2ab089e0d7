/** Puts the admin together: a database, its tables, its people, and the server before them. */

import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type Metadata, openMetadata } from '../database/metadata/metadata.ts'
import { messagesFor } from '../messages/messages.ts'
import type { Component } from '../server/component.ts'
import { loadClient } from '../server/client-files.ts'
import { createHttp } from '../server/http.ts'
import { KeyRing } from '../server/keys.ts'
import type { Life } from '../server/lifecycle.ts'
import { loadRenderer } from '../server/load-renderer.ts'
import { DEFAULT_LOCALE } from '../server/locale.ts'
import { addUpdateRoute } from '../server/update-route.ts'
import { type Catalog, createCatalog } from '../table/catalog.ts'
import { createListComponent } from '../table/list-component.ts'
import type { RowSource } from '../table/row-source.ts'
import { createTotals } from '../table/totals.ts'
import { createAccountComponent } from './account-component.ts'
import { ACCOUNT_LIMITS, type Accounts, createAccounts } from './accounts/accounts.ts'
import { rolePolicy } from './accounts/roles.ts'
import { loadSecret } from './accounts/secret.ts'
import { linkPath, listPath } from './addresses.ts'
import { createCookies } from './cookies.ts'
import { createErrorPage } from './error-page.ts'
import { addHealthRoutes } from './health.ts'
import { addListRoutes } from './list-routes.ts'
import { limitPages } from './page-limit.ts'
import { createPageSender } from './page-sender.ts'
import { createShellComponent } from './shell-component.ts'
import { addSignInRoutes } from './sign-in-routes.ts'
import { createVisitors } from './visitors.ts'
import type { Policy } from '../table/access.ts'

const HOUR_MS = 60 * 60 * 1000

/** The build that comes with this package, seen from where it was built to, or from its source. */
const OWN_CLIENT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/assets/' : '../assets/', import.meta.url),
)

export type AdminOptions = {
  readonly source: RowSource
  /** Folder for Tablewire's own records; made where it is missing. */
  readonly dataFolder: string
  /** Folder with the built client. Default: the package's own. */
  readonly clientFolder?: string
  /** Default: `process.env` is not read; nothing is taken from the environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Who may do what. Default: by role. */
  readonly policy?: Policy
  /**
   * Where browsers reach it, such as `https://admin.example.org`. With `https:`, cookies are
   * `secure` and browsers are told to stay with TLS. Default: wherever it listens, without TLS.
   */
  readonly url?: string
  /** Proxies whose word on the client's address counts: how many, or their addresses. Default: none. */
  readonly trustProxy?: number | string
  /** Pages and updates a session may ask for in a minute. Default: 600 pages and 1200 updates. */
  readonly requestsPerMinute?: number
  /** Forged requests a session may make in a minute before they are slowed down. Default: 30. */
  readonly forgeriesPerMinute?: number
  /** Where failures are written. Default: nowhere. */
  readonly log?: (line: string, error?: unknown) => void
  readonly now?: () => number
}

export type Admin = {
  readonly app: FastifyInstance
  readonly accounts: Accounts
  readonly keys: KeyRing
  /** Name of the cookie that a session is kept in. */
  readonly sessionCookie: string
  /** Everything that a browser may send updates to, by name. */
  readonly components: ReadonlyMap<string, Component>
  catalog(): Catalog
  /** Path of a fresh one-time link that signs an administrator in, the first one by making them. */
  signInLink(): Promise<string>
  close(): Promise<void>
}

/**
 * Everything that has to stand before the first request. Throws one plain sentence where it cannot.
 *
 * @example
 * const admin = await createAdmin({ source: await openSqlite('shop.db'), dataFolder: '.tablewire' })
 * await admin.app.listen({ port: 4600 })
 * console.log(`Sign in: http://127.0.0.1:4600${await admin.signInLink()}`)
 */
export async function createAdmin(options: AdminOptions): Promise<Admin> {
  const { source, dataFolder, now = Date.now, log, trustProxy } = options
  const url = options.url === undefined ? undefined : new URL(options.url)
  const [host, secure] = [url?.host, url?.protocol === 'https:']
  const keys = new KeyRing([await loadSecret(dataFolder, options.env ?? {})])
  const [client, render, metadata, catalog] = await Promise.all([
    loadClient(options.clientFolder ?? OWN_CLIENT),
    loadRenderer(),
    openMetadata(join(dataFolder, 'meta.sqlite'), { now }),
    createCatalog(source, options.policy ?? rolePolicy),
  ])
  const accounts = createAccounts({ metadata, now, randomBytes })
  const cookies = createCookies(instanceOf(keys), secure)
  const visitors = createVisitors(accounts, cookies)
  const database = { name: catalog.schema.name, kind: catalog.schema.engine.split(' ', 1)[0]! }

  const current = () => catalog
  const list = createListComponent({
    source,
    catalog: current,
    totals: createTotals(source),
    href: listPath,
  })
  const account = createAccountComponent(accounts)
  const shell = createShellComponent({ catalog: current, metadata, database })
  const components = registry([list, account, shell])
  const running: Life['running'] = new Map()

  const pages = createPageSender({
    keys,
    client,
    render,
    metadata,
    writes: metadata.idempotency,
    running,
    components,
    shell,
    cookies,
    database: database.name,
  })
  const { requestsPerMinute, forgeriesPerMinute } = options
  const app = await createHttp({
    client,
    errorPage: createErrorPage(pages, visitors),
    ...(log && { log }),
    ...(trustProxy !== undefined && { trustProxy }),
    secure,
  })
  limitPages(app, visitors, requestsPerMinute)
  addUpdateRoute(app, {
    keys,
    components,
    writes: metadata.idempotency,
    running,
    build: client.version,
    assets: { version: client.version },
    authenticate: visitors.find,
    ...(host !== undefined && { host }),
    ...(log && { report: (error: unknown) => log('A part of an update failed.', error) }),
    ...(requestsPerMinute !== undefined && { perMinute: requestsPerMinute }),
    ...(forgeriesPerMinute !== undefined && { forgeriesPerMinute }),
  })
  addListRoutes(app, {
    catalog: current,
    visitors,
    pages,
    preferences: metadata.preferences,
    list,
    account,
  })
  addSignInRoutes(app, {
    accounts,
    keys,
    cookies,
    visitors,
    pages,
    host,
    facts: () => factsOf(catalog),
  })
  addHealthRoutes(app, source, metadata, dataFolder)

  return {
    app,
    accounts,
    keys,
    sessionCookie: cookies.sessionName,
    components,
    catalog: current,
    signInLink: () => signInLink(accounts),
    close: () => close(app, source, metadata),
  }
}

/** Components by name; a definition's parameters no longer matter once it is mounted by name. */
function registry(components: readonly Component<never>[]): ReadonlyMap<string, Component> {
  return new Map(components.map((component) => [component.name, component]))
}

/** Short, public, and different for every secret. */
const instanceOf = (keys: KeyRing): string =>
  createHash('sha256').update(keys.sign('visitor', 'instance').mac).digest('hex').slice(0, 8)

async function signInLink(accounts: Accounts): Promise<string> {
  const administrator = await accounts.administrator()
  const token = await accounts.issueLink({
    role: 'admin',
    ...(administrator && { userId: administrator.id }),
  })
  return linkPath(token)
}

function factsOf({ schema }: Catalog) {
  const { facts } = messagesFor(DEFAULT_LOCALE)
  const { idleMs, absoluteMs } = ACCOUNT_LIMITS
  return [
    { label: facts.database, value: `${schema.name}, ${schema.engine}` },
    { label: facts.access, value: facts.accessReadOnly },
    { label: facts.session, value: facts.sessionText(idleMs / HOUR_MS, absoluteMs / HOUR_MS) },
  ]
}

async function close(app: FastifyInstance, source: RowSource, metadata: Metadata): Promise<void> {
  await app.close()
  await source.close()
  await metadata.close()
}
