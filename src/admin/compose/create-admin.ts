/** Puts the admin together: a database, its tables, its people, and the server before them. */

import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type Metadata, openMetadata } from '../../database/metadata/metadata.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { AnyComponent } from '../../server/component/define.ts'
import { loadClient } from '../../server/http/client-files.ts'
import { createHttp, type HttpOptions, servePages } from '../../server/http/http.ts'
import { KeyRing } from '../../server/keys.ts'
import type { Life } from '../../server/lifecycle/life.ts'
import { loadRenderer } from '../../server/http/load-renderer.ts'
import { type Reader, readerOf } from '../../server/http/locale.ts'
import { addUpdateRoute } from '../../server/update/update-route.ts'
import type { Catalog } from '../../table/catalog.ts'
import type { Definitions } from '../../table/definition/define-table.ts'
import type { Kind } from '../../table/definition/kind.ts'
import { kindOf } from '../../table/definition/kinds.ts'
import { formatterFor } from '../../table/format.ts'
import { createLiveCatalog } from '../../table/live-catalog.ts'
import { createListComponent } from '../../table/list/component.ts'
import { createRecordComponent } from '../../table/record/component.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { createTotals } from '../../table/list/totals.ts'
import { createAccountComponent } from '../pages/account-component.ts'
import { ACCOUNT_LIMITS, type Accounts, createAccounts } from '../accounts/accounts.ts'
import { rolePolicy } from '../accounts/roles.ts'
import { loadSecret } from '../accounts/secret.ts'
import { createAddresses } from '../addresses.ts'
import { type AuthProvider, createHostSignIn } from '../sign-in/auth-provider.ts'
import { createCookies } from '../sign-in/cookies.ts'
import { createErrorPage } from '../pages/error-page.ts'
import { addHealthRoutes } from '../health.ts'
import { addListRoutes } from '../pages/list-routes.ts'
import { createMounts, type HostRequests, type Mounts } from '../mounts/mounts.ts'
import { limitPages } from '../pages/page-limit.ts'
import { createOwnSignIn } from '../sign-in/own-sign-in.ts'
import { createPageSender } from '../pages/page-sender.ts'
import { addRecordRoutes } from '../pages/record-routes.ts'
import { createShellComponent } from '../pages/shell-component.ts'
import { metadataFile, signInLink } from '../sign-in/sign-in-link.ts'
import { addSignInRoutes } from '../sign-in/sign-in-routes.ts'
import { createVisitors } from '../sign-in/visitors.ts'
import type { Policy } from '../../table/source/access.ts'

const HOUR_MS = 60 * 60 * 1000

/** The build that comes with this package, seen from where it was built to, or from its source. */
const OWN_CLIENT = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/assets/' : '../../assets/',
    import.meta.url,
  ),
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
  /** What is declared of tables, by name; everything else is inferred. */
  readonly definitions?: Definitions
  /** Kinds of columns beside the built-in ones, as `defineKind` makes them. Default: none. */
  readonly kinds?: readonly Kind[]
  /**
   * Path that all its addresses begin with, as browsers see them, such as `/admin`; nothing beside
   * it is answered. Default: none, so that it has its host for itself.
   */
  readonly prefix?: string
  /** Who is signed in, as the application around it knows. Default: accounts of its own. */
  readonly auth?: AuthProvider
  /**
   * Origin where browsers reach it, such as `https://admin.example.org`. With `https:`, cookies are
   * `secure`, and browsers are told to stay with TLS unless there is a prefix: then the host is not
   * ours alone. Default: wherever it listens, without TLS.
   */
  readonly url?: string
  /** Proxies whose word on the client's address counts: how many, or their addresses. Default: none. */
  readonly trustProxy?: number | string
  /** Pages and updates a session may ask for in a minute. Default: 600 pages and 1200 updates. */
  readonly requestsPerMinute?: number
  /** Forged requests a session may make in a minute before they are slowed down. Default: 30. */
  readonly forgeriesPerMinute?: number
  /** Adds to the server what it is to have besides, before it is ready. Default: nothing. */
  readonly extend?: (app: FastifyInstance) => Promise<void>
  /** Where failures are written. Default: nowhere. */
  readonly log?: (line: string, error?: unknown) => void
  readonly now?: () => number
}

export type Admin = Mounts & {
  /** The server itself; where the admin is mounted, it need not listen. */
  readonly app: FastifyInstance
  /** Accounts of the admin's own; nobody has one where an `auth` was given. */
  readonly accounts: Accounts
  readonly keys: KeyRing
  /** Name of the cookie that a session of such an account is kept in. */
  readonly sessionCookie: string
  /** Everything that a browser may send updates to, by name. */
  readonly components: ReadonlyMap<string, AnyComponent>
  catalog(): Catalog
  /**
   * Path of a fresh one-time link that signs an administrator in, the first one by making them.
   * Throws where an `auth` was given.
   */
  signInLink(): Promise<string>
  /** Closes the source, the admin's own records and its server, and nothing else of the process. */
  close(): Promise<void>
}

/**
 * Everything that has to stand before the first request. Throws one plain sentence where it cannot.
 *
 * @example
 * const admin = await createAdmin({ source: await openSqlite('shop.db'), dataFolder: '.tablewire' })
 * await admin.app.listen({ port: 4600 })
 * console.log(`Sign in: http://127.0.0.1:4600${await admin.signInLink()}`)
 *
 * @example
 * const admin = await createAdmin({ source, dataFolder, prefix: '/admin', auth })
 * express().use(admin.middleware)
 */
export async function createAdmin(options: AdminOptions): Promise<Admin> {
  const { source, dataFolder, auth, now = Date.now, log, trustProxy } = options
  const addresses = createAddresses(options.prefix)
  const url = options.url === undefined ? undefined : originUrl(options.url)
  const [host, secure] = [url?.host, url?.protocol === 'https:']
  const keys = new KeyRing([await loadSecret(dataFolder, options.env ?? {})], addresses.prefix)
  const [client, render, metadata, live] = await Promise.all([
    loadClient(options.clientFolder ?? OWN_CLIENT, addresses.assets),
    loadRenderer(),
    openMetadata(metadataFile(dataFolder), { now }),
    createLiveCatalog(source, options.policy ?? rolePolicy, {
      definitions: options.definitions,
      kinds: options.kinds,
      now,
      report: (error) => log?.('The tables have changed, and what was known of them stays.', error),
    }),
  ])
  const accounts = createAccounts({ metadata, now, randomBytes })
  const cookies = createCookies(instanceOf(keys), secure, addresses.prefix || '/')
  const hostRequests: HostRequests = new WeakMap()
  const signIn = auth
    ? createHostSignIn(auth, keys, hostRequests)
    : createOwnSignIn(accounts, cookies, addresses)
  const visitors = createVisitors(signIn)
  const { schema } = live.current()
  const database = { name: schema.name, kind: schema.engine.split(' ', 1)[0]! }

  const list = createListComponent({
    source,
    catalog: live.current,
    totals: createTotals(source),
    href: addresses.list,
  })
  const record = createRecordComponent({ source, catalog: live.current, href: addresses.list })
  const account = auth ? undefined : createAccountComponent(accounts)
  const shell = createShellComponent({
    catalog: live.current,
    metadata,
    database,
    addresses,
    links: { start: addresses.start, ...signIn.links },
  })
  const components = registry([list, record, ...(account ? [account] : []), shell])
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
    addresses,
    anonymous: signIn.anonymous,
    database: database.name,
  })
  const { requestsPerMinute, forgeriesPerMinute } = options
  const http: HttpOptions = {
    client,
    errorPage: createErrorPage(pages, visitors, addresses),
    ...(log && { log }),
    ...(trustProxy !== undefined && { trustProxy }),
    strictTransport: secure && addresses.prefix === '',
    showsPictures: () => showsPictures(live.current()),
  }
  const app = await createHttp(http)
  const mounts = createMounts(app, addresses, hostRequests)
  // Before everything else: what a page may load depends on what its tables show.
  app.addHook('onRequest', (_request, _reply, done) => {
    const refreshed = live.refresh()
    if (refreshed) refreshed.then(() => done(), done)
    else done()
  })
  addUpdateRoute(app, {
    keys,
    components,
    writes: metadata.idempotency,
    running,
    build: client.version,
    assets: { version: client.version },
    path: addresses.update,
    now,
    authenticate: visitors.authenticate,
    ...(host !== undefined && { host }),
    ...(log && { report: (error: unknown) => log('A part of an update failed.', error) }),
    ...(requestsPerMinute !== undefined && { perMinute: requestsPerMinute }),
    ...(forgeriesPerMinute !== undefined && { forgeriesPerMinute }),
  })
  await app.register(async (part) => {
    await servePages(part, http)
    limitPages(part, { visitors, addresses, now }, requestsPerMinute)
    addListRoutes(part, {
      catalog: live.current,
      addresses,
      visitors,
      pages,
      preferences: metadata.preferences,
      list,
      ...(account && { account }),
      ...(log && { log }),
    })
    addRecordRoutes(part, { catalog: live.current, addresses, visitors, pages, record })
    if (!auth)
      addSignInRoutes(part, {
        accounts,
        addresses,
        keys,
        cookies,
        visitors,
        pages,
        host,
        facts: (request) => factsOf(live.current(), readerOf(request)),
      })
    addHealthRoutes(part, { source, metadata, dataFolder, addresses, now })
    await options.extend?.(part)
  })
  await app.ready()

  return {
    ...mounts,
    app,
    accounts,
    keys,
    sessionCookie: cookies.sessionName,
    components,
    catalog: live.current,
    signInLink: () => (auth ? refuseLink() : signInLink(accounts, addresses)),
    close: () => close(app, source, metadata),
  }
}

function originUrl(text: string): URL {
  const url = new URL(text)
  if (url.href === `${url.origin}/`) return url
  throw new Error(
    `The url [${text}] is not like https://admin.example.org; a path of it belongs in \`prefix\`.`,
  )
}

/** Components by name. */
function registry(components: readonly AnyComponent[]): ReadonlyMap<string, AnyComponent> {
  return new Map(components.map((component) => [component.name, component]))
}

const showsPictures = ({ definitions }: Catalog): boolean =>
  [...definitions.values()].some(({ columns }) =>
    [...columns.values()].some((column) => kindOf(column).showsPictures && !column.hidden),
  )

/** Short, public, and different for every secret. */
const instanceOf = (keys: KeyRing): string =>
  createHash('sha256').update(keys.sign('visitor', 'instance').mac).digest('hex').slice(0, 8)

const refuseLink = () =>
  Promise.reject(
    new Error('People sign in at the application around this admin, not by its links.'),
  )

function factsOf({ schema }: Catalog, reader: Reader) {
  const { facts } = messagesFor(reader.language)
  const hours = (ms: number) => ({
    count: ms / HOUR_MS,
    text: formatterFor(reader).number(ms / HOUR_MS),
  })
  const { idleMs, absoluteMs } = ACCOUNT_LIMITS
  return [
    { label: facts.database, value: `${schema.name}, ${schema.engine}` },
    { label: facts.access, value: facts.accessReadOnly },
    { label: facts.session, value: facts.sessionText(hours(idleMs), hours(absoluteMs)) },
  ]
}

async function close(app: FastifyInstance, source: RowSource, metadata: Metadata): Promise<void> {
  await app.close()
  await source.close()
  await metadata.close()
}
