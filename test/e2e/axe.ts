/** What axe finds on a page by WCAG 2.2 AA and by best practice, in light and in dark. */

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Every rule of WCAG 2.2 AA, some of which axe leaves out by itself, and those of best practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules that depend on the theme; all others see the same page in light and in dark. */
const THEME_RULES = ['color-contrast', 'link-in-text-block']

/** Rows are much alike, and each takes axe a while: it looks at the first ones unless all are asked for. */
const FURTHER_ROWS = 'tbody tr:nth-child(n + 7)'

/** Rows that the head or the foot of the page covers in part: whoever goes to one has it scrolled from under there. */
const COVERED = 'tbody tr[data-covered]'

/** Marks them. */
const markCovered = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const row of document.querySelectorAll('tbody tr')) {
      const { left, right, top, bottom } = row.getBoundingClientRect()
      const x = (left + right) / 2
      const isSeen = (y: number) => row.contains(document.elementFromPoint(x, y))
      row.toggleAttribute('data-covered', isSeen(top + 1) !== isSeen(bottom - 1))
    }
  })

type Scope = {
  /** Which rows of tables. Default: the first ones. */
  rows?: 'all' | 'first'
  /** Selector of the parts that are looked at. Default: the page. */
  within?: string
}

/** Checks the page by every rule in light, and its colours in dark too; it follows the system. */
export async function violations(page: Page, { rows = 'first', within }: Scope = {}) {
  const builder = () => {
    const axe = new AxeBuilder({ page })
    if (within !== undefined) axe.include(within)
    axe.exclude(COVERED)
    return rows === 'all' ? axe : axe.exclude(FURTHER_ROWS)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await markCovered(page)
  const light = await found(page, builder().withTags(RULES))
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await found(page, builder().withRules(THEME_RULES))
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((text) => `in dark, ${text}`)]
}

/**
 * Has `beside`, a page of somebody for whom script runs, show what a page without script shows: there no script
 * could wait for anything, so axe would never end.
 */
export async function showWithoutScript(page: Page, beside: Page): Promise<void> {
  const drawn = await page.content()
  const body = drawn
    .replace(/<script\b.*?<\/script>|<link rel="modulepreload"[^>]*>|<\/?noscript>/gs, '')
    .replace('</head>', '<style>.needs-script { display: none }</style></head>')
  await beside.route(page.url(), (route) => route.fulfill({ contentType: 'text/html', body }))
  await beside.goto(page.url())
}

/** What a builder finds once no colour is on its way to another: half way they have no contrast. */
async function found(page: Page, builder: AxeBuilder): Promise<string[]> {
  await page.waitForFunction(
    () => !document.getAnimations().some((animation) => animation instanceof CSSTransition),
  )
  // No page has frames, so it need not be put together in a page of its own.
  const { violations } = await builder.setLegacyMode().analyze()
  return violations.map(({ id, nodes }) => {
    const each = nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`)
    return `${id}: ${each.join('; ')}`
  })
}
