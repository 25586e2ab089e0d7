/** Files of rows in a browser: chosen or dropped, saved with the row, shown, replaced and brought back. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DRAWINGS } from '../../demo/drawings.ts'
import { drawPng } from '../../demo/png.ts'
import { violations } from './axe.ts'
import { nightly } from '../nightly.ts'
import { collectComplaints } from './office.ts'
import { ownOffice } from './own-office.ts'

/** Pictures that the second row holds. */
const KEPT = ['one', 'two'].map((name) => `kept/ab/${name.padEnd(22, '_')}-${name}.png`)

function prepare(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`create table strikes (id integer primary key, place text not null, photo text, report text, sketch text);
    insert into strikes values (1, 'Graz', null, null, null), (2, 'Linz', '${KEPT[0]}', null, '${KEPT[1]}');
    create table albums (id integer primary key, name text not null, photos text);
    insert into albums values (1, 'Engines', '${JSON.stringify(KEPT)}')`)
  db.close()
  for (const [at, key] of KEPT.entries()) {
    const path = join(dirname(file), 'data/files', key)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, picture(at).buffer)
  }
}

const office = ownOffice(prepare, {
  write: true,
  definitions: {
    strikes: {
      columns: {
        photo: { kind: 'image', storage: 'local' },
        sketch: { kind: 'image', storage: 'local' },
        report: { kind: 'file', storage: 'local', types: ['application/pdf'] },
      },
    },
    albums: { columns: { photos: { kind: 'image', storage: 'local', multiple: 5 } } },
  },
})

const picture = (at: number) => {
  const [name, drawing] = DRAWINGS[at]!
  return { name: `${name}.png`, mimeType: 'image/png', buffer: drawPng(drawing) }
}

const FIELDS = '.filepond--root'

/** Files as a browser has them while they are dragged. */
const dragged = (page: Page, { name, mimeType, buffer }: ReturnType<typeof picture>) =>
  page.evaluateHandle(
    ([bytes, called, type]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], called, { type }))
      return transfer
    },
    [[...buffer], name, mimeType] as const,
  )

/** Lets go of a file over a field, as from a folder of the person's. */
async function drop(page: Page, field: string, file: ReturnType<typeof picture>) {
  const dataTransfer = await dragged(page, file)
  const zone = page.locator(FIELDS).filter({ has: page.getByLabel(field, { exact: true }) })
  const at = await zone.evaluate((box) => {
    const { x, y } = box.getBoundingClientRect()
    return { clientX: x + 9, clientY: y + 9, pageX: x + 9, pageY: y + 9 }
  })
  for (const event of ['dragenter', 'dragover', 'drop'])
    await zone.dispatchEvent(event, { dataTransfer, ...at })
}

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

test('a picture is dropped, kept as a draft, saved, shown in place and in the list, replaced, and brought back', async () => {
  const page = await (await office.signedIn()).newPage()
  const complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/strikes/records/1?edit=on`)
  await expect.poll(() => page.locator(FIELDS).count()).toBe(3)
  const zones = () => page.locator('.filepond--drop-label > label > span:first-of-type')
  const dataTransfer = await dragged(page, picture(0))
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await expect
    .poll(() => zones().allTextContents())
    .toEqual(['Drop it here to add it', 'Takes PDF only', 'Drop it here to add it'])
  await page.dispatchEvent('body', 'drop', { dataTransfer })
  await expect
    .poll(() => zones().allTextContents())
    .toEqual(Array(3).fill('Drop a file here or choose one'))

  await drop(page, 'Photo', picture(0))
  const added = page.locator('.upload-row', { hasText: 'fan-blades.png' })
  await expect.poll(() => added.textContent()).toContain('not saved')
  // What is not taken says so at its field until it is removed, and is not sent.
  await page.getByLabel('Report', { exact: true }).setInputFiles(picture(1))
  const refused = page.locator('.upload-row', { hasText: 'engine-inlet.png' })
  await expect.poll(() => refused.locator('.st').textContent()).toBe('This type is not taken here.')
  await expect.poll(() => refused.getByRole('button').allTextContents()).toEqual(['Remove'])
  await expect.poll(() => page.getByRole('status').allTextContents()).toContain('1 file not added')
  await save(page)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className))
    .toContain('filepond--browser')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove engine-inlet.png' }).click()
  // A draft knows the file by its name.
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(() => added.textContent()).toContain('not saved')
  await save(page)
  const shown = page.locator('.file-value img')
  const width = () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(width).toBe(240)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  const small = page.getByRole('img', { name: 'fan-blades.png' })
  await expect.poll(() => small.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96)

  // The arrow keys lead through the pictures of a row, and Escape gives the focus back.
  const opener = page.getByRole('row', { name: /Linz/ }).getByRole('link', { name: 'one.png' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const preview = page.getByRole('dialog')
  await expect.poll(() => preview.getByRole('heading').textContent()).toBe('one.png')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => preview.getByRole('heading').textContent()).toBe('two.png')
  await expect.poll(() => preview.getByRole('status').textContent()).toBe('two.png, 2 of 2')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => preview.getByRole('heading').textContent()).toBe('one.png')
  await page.keyboard.press('ArrowLeft')
  const large = preview.getByRole('img', { name: 'two.png' })
  await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(240)
  expect(await violations(page, { within: 'dialog' })).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => preview.count()).toBe(0)
  await expect.poll(() => opener.evaluate((link) => link === document.activeElement)).toBe(true)

  await page.goBack()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Remove fan-blades.png' }).click()
  await expect
    .poll(() => page.locator('.upload-gone').textContent())
    .toContain('fan-blades.png is removed when you save.')
  await page.getByRole('button', { name: 'Put back' }).click()
  await expect.poll(() => added.count()).toBe(1)
  // A save waits for what is on its way, and says so.
  let go = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  await page.route('**/tablewire/uploads**', async (route) => {
    await held
    await route.continue()
  })
  await page.getByLabel('Photo', { exact: true }).setInputFiles(picture(4))
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(1)
  await page.keyboard.press('Control+s')
  await expect
    .poll(() => page.getByRole('status').allTextContents())
    .toContainEqual(expect.stringMatching(/^Waiting for goose-on-grass\.png: \d+ %$/))
  go()
  await expect.poll(() => page.locator('.file-value figcaption').textContent()).toContain('goose')
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect
    .poll(() => page.locator('.file-value figcaption').textContent())
    .toContain('fan-blades.png')
  await expect.poll(width).toBe(240)
  expect(complaints).toEqual([])
})

nightly.detail(
  'several pictures are added, ordered by keys, taken out and put back, and shown as three and how many more',
  async () => {
    const page = await (await office.signedIn()).newPage()
    const complaints = collectComplaints(page)
    await page.goto(`${office.origin}/tables/albums/records/1?edit=on`)
    const names = () => page.locator('.upload-row .fn').allTextContents()
    await expect.poll(names).toEqual(['one.png', 'two.png'])
    await expect.poll(() => page.locator(FIELDS).count()).toBe(1)
    const field = page.getByLabel('Photos', { exact: true })
    await field.setInputFiles([picture(0), picture(1)])
    await expect.poll(() => page.locator('.upload-count').textContent()).toBe('4 of 5')
    // More than there is room for are refused whole (spec §5).
    await field.setInputFiles([picture(2), picture(3)])
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual(expect.stringContaining('Max files: 5.'))
    await page.getByRole('button', { name: 'Move engine-inlet.png', exact: true }).press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(names).toEqual(['engine-inlet.png', 'one.png', 'two.png', 'fan-blades.png'])
    await page.getByRole('button', { name: 'Remove one.png' }).click()
    await expect.poll(() => page.locator('.upload-gone').textContent()).toContain('one.png')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Put back' }).click()
    await expect.poll(names).toContain('one.png')
    const order = await names()
    await save(page)
    await expect
      .poll(() => page.locator('.file-values figcaption a').allTextContents())
      .toEqual(order)
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to the list' }).click()
    const cell = page.getByRole('row', { name: /Engines/ }).locator('td.k-file')
    await expect.poll(() => cell.textContent()).toBe('+1')
    await expect.poll(() => cell.getByRole('img').count()).toBe(3)
    await cell.getByRole('link', { name: order[0]! }).click()
    const preview = page.getByRole('dialog')
    await expect.poll(() => preview.getByRole('heading').textContent()).toBe(order[0])
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => preview.getByRole('status').textContent()).toBe(`${order[2]}, 3 of 3`)
    await page.keyboard.press('Escape')
    expect(complaints).toEqual([])
  },
)

nightly.detail(
  'on a phone and a slow line that breaks, progress is shown, the rest is sent again, and the save waits for the picture',
  async () => {
    const page = await (await office.signedIn()).newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${office.origin}/tables/strikes/records/2?edit=on`)
    await expect.poll(() => page.locator(FIELDS).count()).toBe(3)
    const line = await page.context().newCDPSession(page)
    await line.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 100, downloadThroughput: -1, uploadThroughput: 100_000 },
    })
    await page.route('**/tablewire/uploads**', (route) => route.abort())
    const { buffer, ...drawn } = picture(3)
    // What follows the last part of a picture is none of it.
    const large = { ...drawn, buffer: Buffer.concat([buffer, Buffer.alloc(400_000)]) }
    await page.getByLabel('Photo', { exact: true }).setInputFiles(large)
    const row = page.locator('.upload-row', { hasText: drawn.name })
    await row.getByText('Connection lost').first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.unroute('**/tablewire/uploads**')
    await row.getByRole('button', { name: /^Retry/ }).click()
    await row.getByRole('progressbar').waitFor()
    await save(page)
    await page.getByText(`Waiting for ${drawn.name}`).first().waitFor()
    await expect
      .poll(() => page.locator('.file-value figcaption').allTextContents())
      .toContainEqual(expect.stringContaining(drawn.name))
    await page.context().close()
  },
)
