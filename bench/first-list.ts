/** The time from the first command on a large database to the first list painted in a browser. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../test/e2e/browser.ts'
import { atMost, type Figure, median } from './measure.ts'
import { printedLink } from './printed-link.ts'
import type { Site } from './site.ts'

const ROUNDS = 3

export async function firstList(site: Site): Promise<Figure[]> {
  const browser = await launchBrowser()
  const times: number[] = []
  try {
    // The first round warms the caches of the database and the disk.
    for (let round = 0; round <= ROUNDS; round++) times.push(await once(site, browser))
  } finally {
    await browser.close()
  }
  const seconds = median(times.slice(1)) / 1000
  return [atMost('first command to first painted list', seconds, 3, ' s')]
}

/** Starts with a new data folder, where a new person signs in by the printed link. */
async function once(
  site: Site,
  browser: Awaited<ReturnType<typeof launchBrowser>>,
): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'tablewire-first-'))
  const started = performance.now()
  const server = spawn(
    process.execPath,
    ['bin/tablewire.js', site.database, '--port', '0', '--data', data],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const context = await browser.newContext()
  try {
    const link = await printedLink(server.stdout)
    const page = await context.newPage()
    await page.goto(link)
    await page.getByLabel('Name').fill('First')
    await page.getByLabel('Email').fill('first@example.org')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button').last().click()
    // Signing in leads to the largest table, which may be another one of the demo's.
    await page.waitForURL(/\/tables\//, { waitUntil: 'commit' })
    if (!page.url().endsWith('/orders')) await page.goto(`${new URL(link).origin}/tables/orders`)
    await page.locator('tbody tr[data-row-key]').first().waitFor()
    return performance.now() - started
  } finally {
    await context.close()
    server.kill()
    await new Promise((resolve) => server.once('close', resolve))
    rmSync(data, { recursive: true, force: true })
  }
}
