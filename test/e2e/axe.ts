/** What axe finds on a page, in light and in dark. */

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Rules that depend on the theme; all others see the same page in light and in dark. */
const THEME_RULES = ['color-contrast', 'link-in-text-block']

/** Checks the page by every rule in light, and its colours in dark too; it follows the system. */
export async function violations(page: Page): Promise<string[]> {
  const light = await found(new AxeBuilder({ page }))
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await found(new AxeBuilder({ page }).withRules(THEME_RULES))
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((text) => `in dark, ${text}`)]
}

async function found(builder: AxeBuilder): Promise<string[]> {
  // No page has frames, so it need not be put together in a page of its own.
  const { violations } = await builder.setLegacyMode().analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
