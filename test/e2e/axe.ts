/** What axe finds on a page, in light and in dark. */

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Rules that depend on the theme; all others see the same page in light and in dark. */
const THEME_RULES = ['color-contrast', 'link-in-text-block']

/** Rows are much alike, and each takes axe a while: it looks at the first ones unless all are asked for. */
const FURTHER_ROWS = 'tbody tr:nth-child(n + 7)'

/** Checks the page by every rule in light, and its colours in dark too; it follows the system. */
export async function violations(
  page: Page,
  { rows }: { rows: 'all' | 'first' } = { rows: 'first' },
): Promise<string[]> {
  const builder = () => {
    const axe = new AxeBuilder({ page })
    return rows === 'all' ? axe : axe.exclude(FURTHER_ROWS)
  }
  const light = await found(page, builder())
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await found(page, builder().withRules(THEME_RULES))
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((text) => `in dark, ${text}`)]
}

/** What a builder finds once no colour is on its way to another: half way they have no contrast. */
async function found(page: Page, builder: AxeBuilder): Promise<string[]> {
  await page.waitForFunction(
    () => !document.getAnimations().some((animation) => animation instanceof CSSTransition),
  )
  // No page has frames, so it need not be put together in a page of its own.
  const { violations } = await builder.setLegacyMode().analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
