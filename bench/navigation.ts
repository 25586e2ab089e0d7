/** The time from a click to the painted page, in place: fetched, fetched ahead, and kept. */

import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/e2e/browser.ts'
import { type Figure, median, reported } from './measure.ts'
import type { Site } from './site.ts'

const ROUNDS = 30

export async function navigation(site: Site): Promise<Figure[]> {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ locale: 'en-US' })
    const [name, value] = site.headers['cookie']!.split('=') as [string, string]
    await context.addCookies([{ name, value, url: site.origin }])
    const page = await context.newPage()
    await page.goto(`${site.origin}/tables/orders`)
    await page.waitForFunction(() => Boolean(history.state))
    const [to, back, ahead, kept] = [[], [], [], []] as number[][]
    for (let round = 0; round <= ROUNDS; round++) {
      const row = { press: 'tbody a.row-link', shows: 'dl.fields' }
      to!.push(await timeOf(page, row))
      const list = { press: 'nav.steps a', shows: 'tbody a.row-link' }
      back!.push(await timeOf(page, list))
      await timeOf(page, row)
      kept!.push(await timeOf(page, { shows: 'tbody a.row-link' }))
      await timeOf(page, row)
      const fetched = page.waitForResponse(
        (response) => response.request().headers()['x-tablewire-navigate'] === 'prefetch',
      )
      await page.locator(list.press).first().dispatchEvent('touchstart')
      await (await fetched).finished()
      ahead!.push(await timeOf(page, list))
    }
    const figure = (what: string, times: readonly number[]) =>
      reported(`${what}, ms from the click to the frame`, median(times.slice(1)))
    return [
      figure('list to record, with the server', to!),
      figure('record to list, with the server', back!),
      figure('record to a list that was fetched ahead', ahead!),
      figure('back to a kept list', kept!),
    ]
  } finally {
    await browser.close()
  }
}

/** Clicks, or without `press` goes back, and waits for the frame in which `shows` is there. */
const timeOf = (page: Page, move: { press?: string; shows: string }): Promise<number> =>
  page.evaluate(async ({ press, shows }) => {
    const painted = () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve()
          port2.postMessage(null)
        }),
      )
    await painted()
    const started = performance.now()
    if (press === undefined) history.back()
    else document.querySelector<HTMLElement>(press)!.click()
    const left = document.querySelector('h1')
    do await painted()
    while (!document.querySelector(shows) || document.querySelector('h1') === left)
    return performance.now() - started
  }, move)
