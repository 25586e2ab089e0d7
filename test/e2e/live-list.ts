/** A list that follows what others change. */

import type { Page } from 'playwright-core'
import { type Office, settled } from './office.ts'
import { hydrated } from './page-probe.ts'

/** Opens a list, and waits until it has joined its channel. */
export async function goLive(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await untilLive(page)
}

/** Waits until the list that is open has joined its channel. */
export async function untilLive(page: Page): Promise<void> {
  await hydrated(page)
  await page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor()
}

/** Opens a list in a context of its own, live, with nothing under the pointer. */
export async function openLive(office: Office, address: string): Promise<Page> {
  const page = await (await office.signedIn()).newPage()
  await goLive(page, address)
  await settled(page)
  // Away from the rows.
  await page.mouse.move(5, 5)
  return page
}
