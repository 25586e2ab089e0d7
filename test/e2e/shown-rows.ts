/** What a list shows: the keys of its rows, and the texts of a column. */

import type { Page } from 'playwright-core'

export const keysOn = (page: Page) =>
  page
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row-key')))

export const columnOn = (page: Page, name: string) =>
  page.evaluate((name) => {
    const heads = [...document.querySelectorAll('thead th')]
    const at = heads.findIndex((head) => head.textContent?.trim().startsWith(name))
    return [...document.querySelectorAll('tbody tr')].map(
      (row) => row.children[at]?.textContent?.trim() ?? '',
    )
  }, name)
