/** Takes the pictures in docs/screenshots from the running demo, so that they stay up to date. */

import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { openOffice, settled } from '../test/e2e/office.ts'

const FOLDER = 'docs/screenshots'
const WIDTHS = [1440, 768, 390]

const RANGES =
  'filter.incident_date.minDate=1998-06-08&filter.incident_date.maxDate=2002-07-25' +
  '&filter.speed_kt.min=80&filter.speed_kt.max=260&filter.phase.in=Approach,Climb'

/** Ticks a few rows and opens the menu of what can be done with them. */
async function select(page: Page): Promise<void> {
  for (const at of [1, 2, 3, 5, 9])
    await page.locator('tbody tr').nth(at).getByRole('checkbox').check()
  await page.locator('tfoot').getByText('5 selected').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Bulk actions' }).click()
}

const SCREENS: readonly [name: string, path: string, act?: (page: Page) => Promise<void>][] = [
  ['list', '/tables/strikes'],
  ['search', '/tables/strikes?search=goose'],
  ['filtered', '/tables/strikes?filter.species_id=38'],
  ['filters', `/tables/strikes?filters=open&${RANGES}`],
  [
    'calendar',
    `/tables/strikes?filters=open&${RANGES}`,
    async (page) => {
      const group = page.getByRole('group', { name: 'Incident date', exact: true })
      await group.getByRole('button', { name: 'Open calendar' }).click()
      await page.getByRole('grid').first().waitFor()
    },
  ],
  ['record', '/tables/strikes/records/287'],
  ['no-match', '/tables/strikes?search=dodo'],
  ['keys', '/tables/strikes', (page) => page.keyboard.press('?')],
  ['display', '/tables/strikes', (page) => page.getByRole('button', { name: 'Display' }).click()],
  ['selection', '/tables/strikes', select],
  ['error', '/tables/strikes?sort=colour'],
  ['account', '/account'],
]

const office = await openOffice()
await mkdir(FOLDER, { recursive: true })

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of WIDTHS) {
    const viewport = { width, height: width === 390 ? 844 : 900 }
    const signedIn = await office.signedIn({ colorScheme, viewport })
    for (const [name, path, act] of SCREENS) {
      const page = await signedIn.newPage()
      await page.goto(office.origin + path)
      await settled(page)
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      await act?.(page)
      await page.screenshot({ path: `${FOLDER}/${name}-${width}-${colorScheme}.png` })
      await page.close()
    }
    const anonymous = await office.browser.newContext({ colorScheme, viewport })
    const page = await anonymous.newPage()
    await page.goto(`${office.origin}/sign-in`)
    await page.screenshot({ path: `${FOLDER}/sign-in-${width}-${colorScheme}.png` })
    await Promise.all([anonymous.close(), signedIn.close()])
  }

await office.close()
console.log(`Pictures are in ${FOLDER}.`)
