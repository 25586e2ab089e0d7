/** The filter by related rows, whose “Every” asks nothing until it has conditions. */

import { afterAll, beforeAll, expect } from 'vitest'
import { nightly } from '../nightly.ts'
import { collectComplaints, type Office, standardOffice, settled } from './office.ts'

let office: Office
beforeAll(async () => void (office = await standardOffice()), 240_000)
afterAll(() => office.close())

nightly.detail('once “Every” was removed with its conditions, any rows will do again', async () => {
  const page = await (await office.signedIn()).newPage()
  const complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/species?filters=open`)
  await settled(page)
  const strikes = page
    .getByRole('region', { name: 'Filters', exact: true })
    .getByRole('group', { name: 'Strikes', exact: true })
  await strikes.getByText('Every', { exact: true }).click()
  await strikes.getByRole('button', { name: 'Add conditions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Conditions on Strikes' })
  await dialog.getByRole('combobox', { name: 'Filter', exact: true }).selectOption('Speed')
  await dialog.getByLabel('Minimum', { exact: true }).fill('90')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: /^Remove filter: Strikes/ }).click()
  await strikes.getByRole('button', { name: 'Add conditions' }).waitFor()
  await expect.poll(() => strikes.getByRole('radio', { name: 'Any' }).isChecked()).toBe(true)
  await expect.poll(() => strikes.getByText('must fulfil').count()).toBe(0)
  expect(complaints).toEqual([])
  await page.context().close()
})
