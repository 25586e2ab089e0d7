/** Files of rows in a browser: chosen or dropped, saved with the row, shown, replaced and brought back. */

import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DRAWINGS } from '../../demo/drawings.ts'
import { drawPng } from '../../demo/png.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, openOffice } from './office.ts'

let office: Office

beforeAll(async () => {
  const prepare = (file: string) => {
    const db = new DatabaseSync(file)
    db.exec(`create table strikes (id integer primary key, place text not null, photo text, report text);
      insert into strikes values (1, 'Graz', null, null), (2, 'Linz', null, null)`)
    db.close()
  }
  office = await openOffice(prepare, {
    write: true,
    definitions: {
      strikes: {
        columns: {
          photo: { kind: 'image', storage: 'local' },
          report: { kind: 'file', storage: 'local', types: ['application/pdf'] },
        },
      },
    },
  })
})
afterAll(() => office.close())

const picture = (at: number) => {
  const [name, drawing] = DRAWINGS[at]!
  return { name: `${name}.png`, mimeType: 'image/png', buffer: drawPng(drawing) }
}

/** Lets go of a file over a field, as from a folder of the person's. */
async function drop(
  page: Page,
  field: string,
  { name, mimeType, buffer }: ReturnType<typeof picture>,
) {
  const data = await page.evaluateHandle(
    ([bytes, called, type]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], called, { type }))
      return transfer
    },
    [[...buffer], name, mimeType] as const,
  )
  const zone = page.locator('.file-drop').filter({ has: page.getByLabel(field, { exact: true }) })
  for (const event of ['dragenter', 'dragover', 'drop'])
    await zone.dispatchEvent(event, { dataTransfer: data })
}

test('a picture is dropped, saved, shown in place and in the list, replaced, and brought back', async () => {
  const page = await (await office.signedIn()).newPage()
  const complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/strikes/records/1?edit=on`)
  await drop(page, 'Photo', picture(0))
  const added = page.locator('.file', { hasText: 'fan-blades.png' })
  await expect.poll(() => added.textContent()).toContain('not saved')
  // What is not taken is said at its field, and is not sent.
  await page.getByLabel('Report', { exact: true }).setInputFiles(picture(1))
  await expect
    .poll(() => page.getByRole('alert').textContent())
    .toBe('Files of this type are not taken here.')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove engine-inlet.png' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  const shown = page.locator('.file-value img')
  const width = () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(width).toBe(240)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  const small = page.getByRole('img', { name: 'fan-blades.png' })
  await expect.poll(() => small.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(240)

  await page.goBack()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Photo', { exact: true }).setInputFiles(picture(4))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.locator('.file-value figcaption').textContent()).toContain('goose')
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect
    .poll(() => page.locator('.file-value figcaption').textContent())
    .toContain('fan-blades.png')
  await expect.poll(width).toBe(240)
  expect(complaints).toEqual([])
})
