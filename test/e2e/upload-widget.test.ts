/** The upload widget in a browser: adding, sending, refusing, ordering and removing files (spec §5, §8, §9). */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { type Desk, openDesk } from './desk.ts'

/** One pixel, petrol. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mPgTizqBAACqgF0u4i3pAAAAABJRU5ErkJggg==',
  'base64',
)

let desk: Desk
let page: Page
let complaints: string[] = []

beforeAll(async () => void (desk = await openDesk()), 240_000)
afterAll(() => desk.close())
afterEach(async () => {
  await page.context().close()
  // The browser reports each answer that is no success.
  expect(complaints.filter((text) => !text.includes('tablewire/uploads'))).toEqual([])
})

async function open(...how: Parameters<Desk['open']>): Promise<void> {
  ;({ page, complaints } = await desk.open(...how))
  await expect.poll(() => drop('Photographs').count()).toBe(1)
}

const field = (label: string) => page.locator('.field.upload').filter({ hasText: label })
/** FilePond's own input, which takes the place of the plain one. */
const drop = (label: string) => field(label).locator('.filepond--browser')
const files = (label: string) => field(label).getByRole('listitem')
const names = (label: string) =>
  field(label).locator('.filepond--item:not([hidden]) .fn').allTextContents()
/** What the state of the component holds. */
const held = () => page.locator('output').textContent()
const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: PNG })
const text = (name: string, words: string) => ({
  ...{ name, mimeType: 'text/plain', buffer: Buffer.from(words) },
})
const spoken = (label: string) => field(label).locator('.filepond--assistant').textContent()

test('files are added, ordered by keys and removed, and too many are refused whole with “Max files” (spec §5, §8)', async () => {
  await open()
  await drop('Photographs').setInputFiles([photo('a.png'), photo('b.png')])
  await expect.poll(held).toBe('a.png, b.png')
  await expect.poll(() => spoken('Photographs')).toBe('b.png Upload complete')
  expect(await violations(page, { within: 'main' })).toEqual([])

  await drop('Photographs').setInputFiles([photo('c.png'), photo('d.png')])
  const warning = field('Photographs').getByRole('alert').filter({ hasText: 'Max files: 3.' })
  await expect
    .poll(() => warning.textContent())
    .toBe('Max files: 3. None of the 2 files was added.')
  await expect.poll(() => names('Photographs')).toEqual(['a.png', 'b.png'])

  await page.getByRole('button', { name: 'Move b.png', exact: true }).press('ArrowUp')
  await expect.poll(held).toBe('b.png, a.png')
  await expect.poll(() => names('Photographs')).toEqual(['b.png', 'a.png'])
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Move b.png')
  await expect
    .poll(() => page.getByRole('status').filter({ hasText: 'b.png: 1 of 2' }).count())
    .toBe(1)
  await expect.poll(() => warning.count()).toBe(0)

  await page.getByRole('button', { name: 'Remove b.png' }).click()
  await expect.poll(held).toBe('a.png')
  await expect.poll(() => names('Photographs')).toEqual(['a.png'])

  // The state of the component empties the field, too.
  await page.getByRole('button', { name: 'Empty' }).click()
  await expect.poll(() => names('Photographs')).toEqual([])

  // In single mode the limit blocks as well, where FilePond by itself would replace.
  await drop('Note').setInputFiles([text('one.txt', 'one')])
  await expect.poll(() => field('Note').locator('.st').textContent()).toBe('3 bytes')
  await drop('Note').setInputFiles([text('two.txt', 'two')])
  await expect
    .poll(() => field('Note').getByRole('alert').first().textContent())
    .toBe('Max files: 1. The file was not added.')
  await expect.poll(() => names('Note')).toEqual(['one.txt'])
  await page.getByRole('button', { name: 'Remove one.txt' }).click()
  await expect.poll(() => names('Note')).toEqual([])

  // What the server refuses says why, is an event, and is announced.
  const event = page.evaluate(
    () =>
      new Promise((resolve) =>
        document.addEventListener('FilePond:error', (told) =>
          resolve((told as CustomEvent<{ error: { body: string } }>).detail.error.body),
        ),
      ),
  )
  await drop('Note').setInputFiles([text('odd.txt', 'o\0d')])
  const why = '“odd.txt” holds something else than its name says.'
  await expect.poll(() => field('Note').locator('.st').textContent()).toBe(why)
  expect(await event).toBe(why)
  await expect.poll(() => spoken('Note')).toContain(why)
  await expect.poll(() => page.getByRole('button', { name: 'Retry odd.txt' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Remove odd.txt' }).click()
  await expect.poll(() => names('Note')).toEqual([])

  // What is too large is not sent at all.
  await drop('Note').setInputFiles([text('long.txt', 'x'.repeat(20_001))])
  await expect.poll(() => field('Note').locator('.st').textContent()).toBe('Larger than 20 kB.')
})

nightly.detail(
  'a broken line ends in an error, from which one retries; cancelling takes the file away',
  async () => {
    await open()
    await page.route('**/tablewire/uploads**', (route) => route.abort())
    await drop('Note').setInputFiles([text('one.txt', 'one')])
    await expect.poll(() => field('Note').locator('.st').textContent()).toBe('Connection lost.')
    await page.unroute('**/tablewire/uploads**')
    await page.getByRole('button', { name: 'Retry one.txt' }).click()
    await expect.poll(() => field('Note').locator('.st').textContent()).toBe('3 bytes')

    let asked = 0
    await page.route('**/tablewire/uploads**', () => void asked++)
    await drop('Photographs').setInputFiles([photo('a.png')])
    await expect.poll(() => asked).toBe(1)
    await expect
      .poll(() => page.getByRole('progressbar', { name: 'Uploading a.png' }).count())
      .toBe(1)
    await page.getByRole('button', { name: 'Cancel a.png' }).click()
    await expect.poll(() => names('Photographs')).toEqual([])
    await expect.poll(held).toBe('')
    await page.unroute('**/tablewire/uploads**')

    // A large file is kept as far as it has arrived.
    const large = text('large.txt', 'x'.repeat(11_000_000))
    let pieces = 0
    await page.route('**/tablewire/uploads**', (route) =>
      route.request().method() === 'POST' || ++pieces === 1 ? route.continue() : route.abort(),
    )
    await drop('Photographs').setInputFiles([large])
    // It is tried again for half a minute.
    await expect
      .poll(() => field('Photographs').locator('.st').textContent(), { timeout: 60_000 })
      .toBe('Connection lost at 5 MB of 11 MB. What has arrived is kept for a day.')
    await page.unroute('**/tablewire/uploads**')
    await page.getByRole('button', { name: 'Retry from 5 MB large.txt' }).click()
    await expect.poll(held).toBe('large.txt')
  },
)

nightly.detail('files come by drop and by paste, and a dragged handle orders them', async () => {
  await open()
  await page.evaluate(
    (bytes) => {
      const data = new DataTransfer()
      for (const name of ['a.png', 'b.png'])
        data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
      const root = document.querySelector('.filepond--root')
      const { x, y, width, height } = root!.getBoundingClientRect()
      const at = {
        clientX: x + width / 2,
        clientY: y + height / 2,
        pageX: x + width / 2,
        pageY: y + height / 2,
      }
      for (const type of ['dragenter', 'dragover', 'drop'])
        root!.dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, ...at }),
        )
    },
    [...PNG],
  )
  await expect.poll(held).toBe('a.png, b.png')

  await drop('Photographs').focus()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.items.add(new File(['hello'], 'pasted.txt', { type: 'text/plain' }))
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  await expect.poll(held).toBe('a.png, b.png, pasted.txt')

  const grip = await page
    .getByRole('button', { name: 'Move pasted.txt', exact: true })
    .boundingBox()
  const first = await files('Photographs').first().boundingBox()
  await page.mouse.move(grip!.x + 8, grip!.y + 8)
  await page.mouse.down()
  await page.mouse.move(grip!.x + 8, first!.y + 30, { steps: 8 })
  await page.mouse.move(grip!.x + 8, first!.y + 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(held).toBe('pasted.txt, a.png, b.png')
  await expect.poll(() => names('Photographs')).toEqual(['pasted.txt', 'a.png', 'b.png'])

  // What another host holds is fetched by the server, if the field takes addresses.
  await page.route('**/tablewire/uploads/fetch?fetch=https%3A%2F%2Fa.example%2Fc.png', (route) =>
    route.fulfill({
      body: PNG,
      headers: {
        'content-type': 'image/png',
        'content-disposition': "attachment; filename*=UTF-8''c.png",
      },
    }),
  )
  await page.getByRole('button', { name: 'Remove b.png' }).click()
  await expect.poll(held).toBe('pasted.txt, a.png')
  await drop('Photographs').focus()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'https://a.example/c.png')
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  await expect.poll(held).toBe('pasted.txt, a.png, c.png')
})

nightly.detail(
  'spec §9: what is added is announced after 750 ms, and cleared after 1500 ms',
  async () => {
    const begin = Date.UTC(2026, 10, 26)
    // FilePond compares its frames with the time when it was made.
    await open({}, (fresh) => fresh.clock.install({ time: begin }))
    await page.clock.pauseAt(begin + 600_000)
    // Nothing may be sent, since its end is announced as well.
    await page.route('**/tablewire/u**', () => undefined)
    await drop('Photographs').focus()
    await drop('Photographs').setInputFiles([photo('a.png')])
    // FilePond lets the file dialog go first.
    await page.clock.runFor(250)
    await expect
      .poll(async () => {
        await page.clock.runFor(16)
        return files('Photographs').count()
      })
      .toBe(1)
    const heard = []
    for (const ms of [600, 200, 1200, 400]) {
      await page.clock.runFor(ms)
      heard.push(await spoken('Photographs'))
    }
    const added = 'Added a.png, 1 file in list'
    expect(heard).toEqual(['', added, added, ''])
  },
)

nightly.layout(
  'on a phone nothing is wider than the screen, and its camera is offered',
  async () => {
    await open({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
    await page.route('**/tablewire/uploads**', (route) => route.abort())
    await drop('Note').setInputFiles([text(`${'long-'.repeat(30)}.txt`, 'one')])
    await expect.poll(() => field('Note').getByRole('button', { name: 'Retry' }).count()).toBe(1)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const camera = field('Photographs').getByText('Take a photograph')
    await expect.poll(() => camera.isVisible()).toBe(true)
    await expect.poll(() => camera.locator('input').getAttribute('capture')).toBe('environment')
    expect(await violations(page, { within: 'main' })).toEqual([])
  },
)
