/** A real Chromium for tests, one for each worker: one of Debian's if installed, else that from npm. */

import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

// A page costs the whole browser twice the time, since each has a window around it.
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How many documents the pages of this worker have loaded. */
let loaded = 0

/** How many that were since it was asked last. */
export function takeLoads(): number {
  const loads = loaded
  loaded = 0
  return loads
}

const prepared = (browser: Browser): Browser =>
  browser.on('context', (context) => {
    // As long as other tests take both cores, a page takes its time.
    context.setDefaultTimeout(60_000)
    context.on('page', (page) => page.on('domcontentloaded', () => void loaded++))
    endRoutesFirst(context)
  })

/**
 * Makes a context end its routes before it closes: a page still asks while its test ends, and an
 * answer that a route has fetched but not passed on would fail the run from outside every test.
 */
function endRoutesFirst(context: BrowserContext): void {
  const close = context.close.bind(context)
  context.close = async (options) => {
    if (context.browser()?.isConnected() === true)
      for (const routed of [...context.pages(), context])
        await routed.unrouteAll({ behavior: 'ignoreErrors' })
    await close(options)
  }
}

/** `scrollbars`: that stand beside what they scroll, as on most desktops. Default: none are drawn. */
export async function launchBrowser({ scrollbars = false } = {}): Promise<Browser> {
  const look = scrollbars ? { ignoreDefaultArgs: ['--hide-scrollbars'] } : {}
  const executablePath = DEBIAN.find((path) => existsSync(path))
  if (executablePath !== undefined)
    return prepared(await chromium.launch({ executablePath, args: ARGS, ...look }))
  const { default: packed } = await import('@sparticuz/chromium')
  const args = [...packed.args, ...ARGS]
  return prepared(
    await chromium.launch({ executablePath: await packed.executablePath(), args, ...look }),
  )
}

const shared = new Map<boolean, Promise<Browser>>()

/** The browser of this worker, which ends with it; a test closes the contexts that it opens there. */
export async function sharedBrowser({ scrollbars = false } = {}): Promise<Browser> {
  const open = await shared.get(scrollbars)
  if (open?.isConnected() === true) return open
  const launched = launchBrowser({ scrollbars })
  shared.set(scrollbars, launched)
  return launched
}

/** Closes all that a file of tests has opened in the browser of its worker. */
export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}
