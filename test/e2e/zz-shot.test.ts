import { expect, test } from 'vitest'
import { standardOffice, settled } from './office.ts'

test('shots', { timeout: 280_000 }, async () => {
  const office = await standardOffice()
  for (const [width, height, scheme] of [[1440, 900, 'light'], [1440, 900, 'dark'], [1920, 1000, 'light'], [390, 844, 'light']] as const) {
    const context = await office.signedIn({ viewport: { width, height }, colorScheme: scheme })
    const page = await context.newPage()
    await page.goto(`${office.origin}/tables/strikes?filters=open`)
    await settled(page)
    await page.getByRole('region', { name: 'Filters', exact: true }).waitFor()
    await page.waitForTimeout(1500)
    await page.screenshot({ path: `/tmp/shots/filters/panel-${width}-${scheme}.png` })
    if (width === 1440) {
      await page.getByRole('combobox', { name: 'Test of Airport name' }).click()
      await page.waitForTimeout(300)
      await page.screenshot({ path: `/tmp/shots/filters/menu-${width}-${scheme}.png` })
      await page.keyboard.press('Escape')
      await page.getByRole('group', { name: 'Incident date' }).getByRole('button', { name: 'Open calendar' }).click()
      await page.waitForTimeout(1200)
      await page.screenshot({ path: `/tmp/shots/filters/calendar-${width}-${scheme}.png` })
      await page.keyboard.press('Escape')
      await page.getByRole('searchbox', { name: 'Find a filter' }).fill('air')
      await page.waitForTimeout(300)
      await page.screenshot({ path: `/tmp/shots/filters/found-${width}-${scheme}.png` })
      await page.locator('th').nth(2).hover()
      await page.locator('.headmenu').nth(2).click({ force: true })
      await page.waitForTimeout(500)
      await page.screenshot({ path: `/tmp/shots/filters/head-${width}-${scheme}.png` })
    }
    await context.close()
  }
  await office.close()
  expect(true).toBe(true)
})
