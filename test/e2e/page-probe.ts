/** What a page under test records of itself: when it asks the server, and what React draws. */

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Records the page's requests for updates by its own clock, which a test may control. */
export async function recordUpdates(page: Page) {
  await page.addInitScript(() => {
    const sent: [at: number, body: unknown][] = []
    const counts = { updatesOut: 0 }
    Object.assign(window, { sentUpdates: sent, counts })
    const { fetch } = window
    window.fetch = async (...args) => {
      const [asked] = args
      const url = asked instanceof Request ? asked.url : asked.toString()
      if (!url.endsWith('/tablewire/update')) return fetch(...args)
      sent.push([performance.now(), args[1]?.body])
      counts.updatesOut++
      try {
        const response = await fetch(...args)
        // The page may read what is complete at once.
        const body = await response.arrayBuffer()
        return new Response(body, response)
      } finally {
        counts.updatesOut--
      }
    }
  })
  return {
    /** The times of all updates so far whose body has that text, ms. */
    times: (text = '') =>
      page.evaluate(
        (part) =>
          (window as unknown as { sentUpdates: [number, string][] }).sentUpdates
            .filter(([, body]) => body.includes(part))
            .map(([at]) => at),
        text,
      ),
    now: () => page.evaluate(() => performance.now()),
    /** Waits until the page itself has every answer: it gets them after the browser has. */
    answered: () =>
      expect
        .poll(() =>
          page.evaluate(
            () => (window as unknown as { counts: { updatesOut: number } }).counts.updatesOut,
          ),
        )
        .toBe(0),
  }
}

/** Follows the requests under way; returns what waits until there are none, and all is applied. */
export function followRequests(page: Page): () => Promise<void> {
  const out = new Set<object>()
  page.on('request', (request) => out.add(request))
  page.on('requestfinished', (request) => out.delete(request))
  page.on('requestfailed', (request) => out.delete(request))
  return async () => {
    await expect.poll(() => out.size).toBe(0)
    // Two turns of the page's own loop, which a paused clock does not stop.
    for (let turn = 0; turn < 2; turn++)
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel()
            port1.addEventListener('message', resolve)
            port1.start()
            port2.postMessage(null)
          }),
      )
  }
}

/**
 * Follows the requests under way; returns what waits until the page is live, has had time of its own for
 * what comes later, and has asked for nothing more.
 */
export function followRest(page: Page): () => Promise<void> {
  const answered = followRequests(page)
  return async () => {
    await hydrated(page)
    for (let turn = 0; turn < 3; turn++) {
      await answered()
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    }
    await answered()
  }
}

/** Lets no socket of the page connect, so that no request has one to name. */
export const withoutSocket = (page: Page): Promise<void> =>
  page.routeWebSocket(/\/app\//, () => undefined)

/** One commit of React: the names of the props of each function component that it has drawn. */
export type Drawn = readonly string[]

/**
 * Records what React draws, through the hook that its developer tools use: for each commit, the
 * components that were rendered, by the names of their props.
 */
export async function recordDrawing(page: Page) {
  await page.addInitScript(() => {
    type Fiber = {
      tag: number
      flags: number
      child: Fiber | null
      sibling: Fiber | null
      alternate: Fiber | null
      memoizedProps: object | null
    }
    const commits: string[][] = []
    Object.assign(window, { commits })
    const FUNCTIONS = [0, 11, 14, 15]
    const PERFORMED_WORK = 1
    const visit = (fiber: Fiber, drawn: string[]): void => {
      const before = fiber.alternate
      if (FUNCTIONS.includes(fiber.tag) && (fiber.flags & PERFORMED_WORK) !== 0)
        drawn.push(
          Object.keys(fiber.memoizedProps ?? {})
            .toSorted()
            .join(' '),
        )
      // The same child as before: React did not enter.
      if (before && before.child === fiber.child) return
      for (let child = fiber.child; child; child = child.sibling) visit(child, drawn)
    }
    Object.assign(window, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        renderers: new Map(),
        inject: () => 1,
        onCommitFiberUnmount() {},
        onPostCommitFiberRoot() {},
        onCommitFiberRoot(_: number, root: { current: Fiber }) {
          const drawn: string[] = []
          visit(root.current, drawn)
          commits.push(drawn)
        },
      },
    })
  })
  return {
    forget: () =>
      page.evaluate(() => {
        ;(window as unknown as { commits: string[][] }).commits.length = 0
      }),
    commits: (): Promise<Drawn[]> =>
      page.evaluate(() => (window as unknown as { commits: string[][] }).commits),
  }
}

/** Holds back the scripts whose names begin like that, until the function that this returns is called. */
export async function holdScript(page: Page, name: string): Promise<() => void> {
  const wanted = Promise.withResolvers<void>()
  await page.route(`**/${name}-*.js`, async (route) => {
    await wanted.promise
    await route.continue()
  })
  return wanted.resolve
}

/** Waits until React has hydrated the page, by a mark that only its commits leave. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('app')?.firstElementChild ?? {}).some((key) =>
      key.startsWith('__reactFiber'),
    ),
  )
}

type TraceEvent = { name: string; ph: string; tid: number; tdur?: number; args?: { name?: string } }

/**
 * How long the tasks of the page's main thread took while `work` ran, ms: the processor's time, which
 * other programs on a busy machine do not add to.
 */
export async function mainThreadTasks(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser()!
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline', '__metadata'],
  })
  await work()
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    traceEvents: TraceEvent[]
  }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ tid }) => tid),
  )
  return traceEvents
    .filter(({ name, ph, tid }) => name === 'RunTask' && ph === 'X' && mains.has(tid))
    .map(({ tdur = 0 }) => tdur / 1000)
}
