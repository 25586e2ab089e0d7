/** A running Tablewire for tests, with its own database, an administrator and a browser. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Admin, AdminOptions } from '../../src/admin/compose/admin-options.ts'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import { recordsFile } from '../../src/admin/compose/records-place.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import type { Roles } from '../../src/table/roles/role.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { copyDemo } from '../copy-demo.ts'
import { demoDefinitions } from '../demo-definitions.ts'
import { sharedBrowser } from './browser.ts'

export type Office = {
  readonly admin: Admin
  readonly origin: string
  readonly folder: string
  readonly browser: Browser
  /** A new browser context in which nobody is signed in. */
  signedOut(options?: BrowserContextOptions): Promise<BrowserContext>
  /** A new browser context in which the administrator is signed in. */
  signedIn(options?: BrowserContextOptions): Promise<BrowserContext>
  /** A new browser context in which a new colleague of that name is signed in, as an editor. */
  colleague(name: string, options?: BrowserContextOptions): Promise<BrowserContext>
  /** Signs the administrator in again, for contexts made later. */
  renew(): Promise<void>
  /** Closes all contexts that it has opened. */
  closeContexts(): Promise<void>
  close(): Promise<void>
}

export const ADMINISTRATOR = {
  name: 'Ana Kovač',
  email: 'ana@example.org',
  password: 'correct horse battery',
}

let standard: Promise<Office> | undefined

/**
 * The office of this worker, with the demo, for files of tests that only read; `close` leaves it open. Each new
 * context finds the lists as they were first, whatever a test before has arranged.
 */
export async function standardOffice(): Promise<Office> {
  standard ??= openOffice()
  const office = await standard
  await office.renew()
  const signedIn = (options?: BrowserContextOptions) => {
    forgetLayouts(office)
    return office.signedIn(options)
  }
  return { ...office, signedIn, close: office.closeContexts }
}

function forgetLayouts({ folder }: Office): void {
  const records = new DatabaseSync(recordsFile(join(folder, 'data')))
  records.exec("delete from tablewire_preferences where name like 'layout %'")
  records.close()
}

/** An office of its own. `prepare` makes the database file. Default: a copy of the demo. */
export async function openOffice(
  prepare: (file: string) => void = copyDemo,
  {
    administrator = true,
    definitions,
    write,
    live = true,
    policy,
    roles,
    bus,
    scrollbars,
    source,
    wrap = patient,
    now,
    isNamed = false,
    settings,
  }: {
    administrator?: boolean
    definitions?: Definitions
    /** Whether the database takes changes. Default: once an administrator has allowed it. */
    write?: boolean
    /** Whether lists and records follow what others change. Default: true. */
    live?: boolean
    /** Who may do what. Default: by role. */
    policy?: Policy
    /** Roles besides those that are there first. Default: none. */
    roles?: Roles
    /** What carries live events between several nodes. Default: there is one. */
    bus?: string
    /** Whether the browser draws scroll bars that take room. Default: it draws none. */
    scrollbars?: boolean
    /** The database, which the office closes. Default: the file that `prepare` makes. */
    source?: RowSource
    /** The time, ms. Default: the system's. */
    now?: () => number
    /** Whether it has a name, which passkeys belong to. Default: an address alone. */
    isNamed?: boolean
    /** Further settings, by where it will be. Default: none. */
    settings?: (origin: string) => Promise<Partial<AdminOptions>>
    /** Wraps the row source, such as to slow it down. Default: its queries may take longer. */
    wrap?: (source: RowSource) => RowSource
  } = {},
): Promise<Office> {
  const folder = await mkdtemp(join(process.env['TABLEWIRE_RUN_FOLDER'] ?? tmpdir(), 'office-'))
  const openFile = () => {
    const file = join(folder, 'demo.sqlite')
    prepare(file)
    return openSqlite(file)
  }
  const port = isNamed ? await freePort() : 0
  const named = `http://localhost:${port}`
  const opened = source ?? (await openFile())
  const admin = await createAdmin({
    source: wrap(opened),
    dataFolder: join(folder, 'data'),
    requestsPerMinute: 1_000_000,
    live,
    definitions: await demoDefinitions(opened, definitions),
    ...(policy && { policy }),
    ...(roles && { roles }),
    ...(write !== undefined && { write }),
    ...(bus !== undefined && { bus }),
    ...(now && { now }),
    ...(isNamed && { url: named }),
    ...(await settings?.(named)),
  })
  const address = await admin.app.listen({ host: '127.0.0.1', port })
  const origin = isNamed ? named : address
  const browser = await sharedBrowser(scrollbars === undefined ? {} : { scrollbars })
  let token = administrator ? await enter(admin) : ''
  const name = admin.sessionCookie
  const contexts = new Set<BrowserContext>()
  async function signedOut(options?: BrowserContextOptions) {
    const context = await browser.newContext({ locale: 'en-US', ...options })
    contexts.add(context)
    context.on('close', () => contexts.delete(context))
    return context
  }
  async function contextOf(value: string, options?: BrowserContextOptions) {
    const context = await signedOut(options)
    await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
    return context
  }

  async function closeContexts() {
    await Promise.all([...contexts].map((context) => context.close()))
  }

  return {
    admin,
    origin,
    folder,
    browser,
    signedOut,
    signedIn: (options) => contextOf(token, options),
    async colleague(who, options) {
      const link = await admin.accounts.issueLink({ role: 'editor' })
      // Each an account of their own: a test that is tried again asks for the same name once more.
      const email = `${crypto.randomUUID()}@example.org`
      const person = { ...ADMINISTRATOR, name: who, email }
      const { token: own } = await admin.accounts.redeemLink(link, person, TESTER)
      return contextOf(own, options)
    },
    async renew() {
      const userId = (await admin.accounts.administrator())!.id
      const link = await admin.accounts.issueLink({ role: 'admin', userId })
      token = (await admin.accounts.redeemLink(link, null, TESTER)).token
    },
    closeContexts,
    async close() {
      await closeContexts()
      await admin.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

const TESTER = { address: '127.0.0.1', userAgent: 'test' }

async function enter({ accounts }: Admin): Promise<string> {
  const link = await accounts.issueLink({ role: 'admin' })
  const { token } = await accounts.redeemLink(link, ADMINISTRATOR, TESTER)
  return token
}

/** Gives every query ten times its time, which no busy machine uses up. */
const patient = (source: RowSource): RowSource =>
  new Proxy(source, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => Reflect.apply(value, target, args.map(withPatience))
    },
  })

const withPatience = (arg: unknown): unknown =>
  typeof arg === 'object' && arg !== null && 'timeoutMs' in arg && typeof arg.timeoutMs === 'number'
    ? { ...arg, timeoutMs: 10 * arg.timeoutMs }
    : arg

/** Collects what the page complains about: errors, failed requests, policy violations. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()} ${message.location().url}`.trim())
  })
  return complaints
}

/** Waits until the page listens, and no update is under way, by the table's `aria-busy`. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const drawn = document.getElementById('app')?.firstElementChild
    const isLive = !drawn || Object.keys(drawn).some((key) => key.startsWith('__reactFiber'))
    return isLive && !document.querySelector('[aria-busy="true"]')
  })
}
