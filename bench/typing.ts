/** The longest tasks of the page while somebody searches, on a core that is slowed down four times. */

import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/e2e/browser.ts'
import { settled } from '../test/e2e/office.ts'
import { mainThreadTasks } from '../test/e2e/page-probe.ts'
import { atMost, type Figure, median, reported } from './measure.ts'
import type { Site } from './site.ts'

const SLOWED_DOWN = 4
/** A task that takes longer is felt, ms. */
const LONG = 50
const ROUNDS = 5

/** One after the other: of the rows before, many stay, some or none; for one, nothing is found. */
const WORDS = ['aircraft', 'zzzz', 'small', 'runway', 'small', 'large', 'engine', 'land', 'small']

/**
 * Searches on a page of 100 rows. Each is one of several rounds, of which the median counts: while others use
 * the machine, a core that is slowed down loses four times what they take.
 */
export async function typing(site: Site): Promise<Figure[]> {
  const browser = await launchBrowser()
  try {
    const [name, value] = site.headers['cookie']!.split('=') as [string, string]
    const rounds: number[][] = []
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext({ locale: 'en-US' })
      await context.addCookies([{ name, value, url: site.origin }])
      const page = await context.newPage()
      await page.goto(`${site.origin}/tables/strikes?size=100`)
      await settled(page)
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED_DOWN })
      const longest: number[] = []
      for (const word of WORDS) longest.push(await longestTask(page, word))
      rounds.push(longest)
      await context.close()
    }
    const usual = WORDS.map((_, at) => median(rounds.map((longest) => longest[at]!)))
    const over = rounds.flat().filter((ms) => ms > LONG).length
    return [
      atMost('longest task of a search on 100 rows', Math.max(...usual), LONG, ' ms', 0),
      reported(`searches with a longer task, of ${ROUNDS * WORDS.length}`, over),
    ]
  } finally {
    await browser.close()
  }
}

async function longestTask(page: Page, word: string): Promise<number> {
  const box = page.getByRole('searchbox', { name: 'Search' })
  await box.fill('')
  await settled(page)
  const tasks = await mainThreadTasks(page, async () => {
    await box.pressSequentially(word, { delay: 60 })
    await page.waitForURL(new RegExp(`search=${word}`))
    await settled(page)
  })
  return Math.max(...tasks)
}
