/** What goes on while one answer takes long: everything else. */

import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { UpdateRequest } from '../../src/protocol/wire.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { nightly } from '../nightly.ts'
import { type Office, openOffice } from './office.ts'
import { withoutSocket } from './page-probe.ts'

let office: Office
/** Pages that were read, by the first column of their order. */
const pages: string[] = []
/** An order by phase is answered, and rows are counted, only once these are resolved. */
let sorted = Promise.withResolvers<void>()
const counted = Promise.withResolvers<void>()

const slow = (source: RowSource): RowSource =>
  new Proxy(source, {
    get(target, name: keyof RowSource) {
      if (name === 'page')
        return async (...args: Parameters<RowSource['page']>) => {
          const column = args[1].sort[0]?.column ?? ''
          pages.push(column)
          if (column === 'phase') await sorted.promise
          return target.page(...args)
        }
      if (name === 'count')
        return async (...args: Parameters<RowSource['count']>) => {
          await counted.promise
          return target.count(...args)
        }
      const member = target[name]
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

beforeAll(async () => void (office = await openOffice(undefined, { wrap: slow })))
afterAll(() => office.close())

const calls = (request: Request): string[] => {
  const body = request.postDataJSON() as UpdateRequest | null
  return body?.components?.flatMap((part) => part.calls.map(({ method }) => method)) ?? []
}

/** The names of the calls whose requests were answered, as they are answered. */
function answeredCalls(page: Page): string[] {
  const answered: string[] = []
  page.on('requestfinished', (request) => answered.push(...calls(request)))
  return answered
}

nightly.detail(
  'a slow order keeps neither clicks nor counts waiting, and no page is read for a count',
  async () => {
    const context = await office.signedIn()
    const page = await context.newPage()
    const answered = answeredCalls(page)
    // A list that listens reads once more when it has joined.
    await withoutSocket(page)
    pages.length = 0
    // It may ask for the count before its document has loaded.
    await Promise.all([
      page.waitForRequest((request) => calls(request).includes('total')),
      page.goto(`${office.origin}/tables/strikes`),
    ])
    const phase = page.getByRole('columnheader', { name: 'Phase' })
    await Promise.all([
      page.waitForRequest((request) => calls(request).includes('sortBy')),
      phase.getByRole('button').click(),
    ])
    // The count is asked for again while the order is still being made …
    const before = answered.filter((name) => name === 'total').length
    await expect
      .poll(() => answered.filter((name) => name === 'total').length)
      .toBeGreaterThan(before)
    // … and so is what else a person clicks on.
    await page.getByRole('button', { name: /theme/i }).click()
    await expect.poll(() => answered).toContain('prefer')
    expect(answered).not.toContain('sortBy')
    await expect.poll(() => phase.getAttribute('aria-sort')).toBe(null)
    expect(pages.filter((column) => column !== 'phase')).toHaveLength(1)
    counted.resolve()
    await expect.poll(() => page.locator('.foot').innerText()).toMatch(/ of 10,000/)
    sorted.resolve()
    await expect.poll(() => phase.getAttribute('aria-sort')).toBe('ascending')
    await expect.poll(() => page.locator('.foot').innerText()).toMatch(/ of 10,000/)
    await context.close()
  },
)

nightly.detail('a slow order does not hold up another component of the same batch', async () => {
  sorted = Promise.withResolvers()
  const context = await office.signedIn()
  const page = await context.newPage()
  const answered = answeredCalls(page)
  await page.goto(`${office.origin}/tables/strikes`)
  const phase = page.getByRole('columnheader', { name: 'Phase' })
  const theme = page.getByRole('button', { name: /theme/i })
  const [order, look] = await Promise.all([
    phase.getByRole('button').elementHandle(),
    theme.elementHandle(),
  ])
  const [batch] = await Promise.all([
    page.waitForRequest((request) => calls(request).includes('sortBy')),
    page.evaluate(
      (buttons) => buttons.forEach((one) => (one as HTMLElement).click()),
      [order, look],
    ),
  ])
  expect(calls(batch).toSorted()).toEqual(['prefer', 'sortBy'])
  // The batch is answered; the order alone is asked for again, and is made once.
  await expect.poll(() => answered).toContain('prefer')
  await expect.poll(() => phase.getAttribute('aria-sort')).toBe(null)
  sorted.resolve()
  await expect.poll(() => phase.getAttribute('aria-sort')).toBe('ascending')
  expect(pages.filter((column) => column === 'phase')).toHaveLength(2)
  await context.close()
})
