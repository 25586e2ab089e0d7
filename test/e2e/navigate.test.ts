/** Pages of one’s own that open others by `useNavigate`, as an outsider would write them. */

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { type Board, openBoard } from './board.ts'
import { collectComplaints } from './office.ts'
import { hydrated } from './page-probe.ts'

const INSTEAD = `
function Instead() {
  const navigate = useNavigate()
  const open = () => navigate('/tables/inspections?sort=-id', { history: 'replace' })
  return <button type="button" onClick={() => void open()}>List instead</button>
}`

let board: Board
let page: Page
let complaints: string[]

beforeAll(
  async () => void (board = await openBoard({ parts: INSTEAD, uses: '<Instead />' })),
  240_000,
)
afterAll(() => board.close())
beforeEach(async () => {
  page = await board.newPage()
  complaints = collectComplaints(page)
  await page.goto(board.address.replace('board', 'you'))
  await hydrated(page)
  await page.locator('.rail a[href="/board"]').click()
  await page.getByRole('button', { name: 'Next inspection' }).waitFor()
  // Gone if a document is loaded.
  await page.evaluate(() => Object.assign(window, { isSame: true }))
})
afterEach(async () => {
  await expect.poll(() => page.evaluate(() => 'isSame' in window)).toBe(true)
  expect(complaints).toEqual([])
  await page.context().close()
})

const entries = () => page.evaluate(() => history.length)
const path = () => page.evaluate(() => location.pathname + location.search)

test('it shows the page in place, with a history entry of its own', async () => {
  const before = await entries()
  await page.getByRole('button', { name: 'Next inspection' }).click()
  await page.locator('dl.fields').getByText('Grass height, runways 17C and 17R').waitFor()
  await expect.poll(() => path()).toBe('/tables/inspections/records/6')
  await expect.poll(() => entries()).toBe(before + 1)
  await page.goBack()
  await page.getByRole('button', { name: 'Next inspection' }).waitFor()
  await expect.poll(() => path()).toBe('/board')
})

nightly.detail('with `replace` it takes the place of the page that is shown', async () => {
  const before = await entries()
  await page.getByRole('button', { name: 'List instead' }).click()
  await page.locator('tr[data-row-key="12"]').waitFor()
  await expect.poll(() => path()).toBe('/tables/inspections?sort=-id')
  await expect.poll(() => entries()).toBe(before)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await expect.poll(() => path()).toBe('/you')
})
