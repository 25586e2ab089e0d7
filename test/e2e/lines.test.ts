/** The lines and links of a row in its form, in a real browser: by pointer, by keyboard, and beside others. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { rowsIn } from '../data-file.ts'
import { collectComplaints } from './office.ts'
import { ownOffice } from './own-office.ts'
import { hydrated } from './page-probe.ts'

function prepare(file: string): void {
  const made = new DatabaseSync(file)
  made.exec(`create table products (id integer primary key, name text not null);
    create table orders (id integer primary key, number text not null unique);
    create table order_lines (id integer primary key, order_id integer not null references orders (id) on delete cascade,
      position integer not null, product_id integer not null references products (id),
      quantity integer not null default 1 check (quantity > 0),
      fee decimal(10,2) not null default 1.5);
    create table tags (id integer primary key, name text not null);
    create table order_tags (order_id integer not null references orders (id) on delete cascade,
      tag_id integer not null references tags (id), primary key (order_id, tag_id));
    insert into products (name) values ('Kettle'), ('Quill'), ('Ink'), ('Wax');
    insert into orders (number) values ('A-1');
    insert into order_lines (order_id, position, product_id, quantity, fee)
      values (1, 1, 1, 2, 64), (1, 2, 2, 4, 18.5), (1, 3, 3, 10, 7.2);
    insert into tags (name) values ('Gift'), ('Trade'), ('Fragile');
    insert into order_tags values (1, 1), (1, 2)`)
  made.close()
}

const office = ownOffice(prepare, { write: true })
afterEach(() => office.closeContexts())

const inData = (sql: string) =>
  rowsIn(join(office.folder, 'demo.sqlite'), sql).map((row) => Object.values(row))

const lines = (order: number) =>
  inData(`select p.name, l.quantity from order_lines l join products p on p.id = l.product_id
    where order_id = ${order} order by position`)
const tags = (order: number) =>
  inData(
    `select name from order_tags join tags on id = tag_id where order_id = ${order} order by 1`,
  ).flat()

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const title = (page: Page, text: string) =>
  page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('status', { name: 'Notifications' }).getByText(text).last().waitFor()
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

/** Chooses a related row by typing its name. */
async function choose(page: Page, name: string, text: string): Promise<void> {
  await field(page, name).fill(text)
  await page.getByRole('option', { name: text, exact: true }).click()
}

test('lines are changed, added, removed and moved, and links made, in one save that Undo takes back', async () => {
  const page = await (await office.signedIn()).newPage()
  const complaints = collectComplaints(page)
  await page.goto(`${office.origin}/tables/orders/records/1?edit=on`)
  await hydrated(page)

  // By keyboard: down the column, past the last line into a new one.
  await field(page, 'Quantity of line 1').fill('3')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Quantity of line 2')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Product of line 4')
  await choose(page, 'Product of line 4', 'Wax')
  await field(page, 'Quantity of line 4').fill('0')
  await button(page, 'Move line 4').focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => focused(page)).toBe('Move line 3')

  // By pointer.
  await button(page, 'Remove line 2').click()
  await button(page, 'Put back line 2').click()
  await button(page, 'Remove line 2').click()
  await page.getByText('3 lines (1 new, 1 removed)').waitFor()
  // What stays, and what the database puts in place of a fee that is not given.
  await expect.poll(() => page.locator('[data-sum=fee]').textContent()).toBe('72.70')
  const [from, to] = [button(page, 'Move line 4'), button(page, 'Move line 1')]
  await from.hover()
  await page.mouse.down()
  const target = await to.boundingBox()
  if (!target) throw new Error('The first line is not in sight.')
  await page.mouse.move(target.x + 8, target.y - 4, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => field(page, 'Quantity of line 1').inputValue()).toBe('10')

  await button(page, 'Take off Gift').click()
  await page.keyboard.type('frag')
  await page.keyboard.press('Enter')
  await button(page, 'Take off Fragile').waitFor()
  await page.getByText('1 field and 4 lines changed, not saved').waitFor()
  expect(await violations(page)).toEqual([])

  // What is refused stands at its field of its line, and nothing was written.
  await page.keyboard.press('Control+s')
  await page.getByText(/^Not saved: 1 /).waitFor()
  expect(lines(1)).toEqual([
    ['Kettle', 2],
    ['Quill', 4],
    ['Ink', 10],
  ])
  await field(page, 'Quantity of line 4').fill('5')
  inData('update order_lines set quantity = 6 where product_id = 1')
  await button(page, 'Save').click()
  const choice = page.getByRole('group', { name: 'Quantity of line 2' })
  await choice.getByText('This was changed outside Tablewire.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await violations(page)).toEqual([])
  await choice.getByRole('button', { name: 'Mine: 3' }).click()
  await expect.poll(() => focused(page)).toBe('Quantity of line 2')
  await page.setViewportSize({ width: 1280, height: 720 })
  await button(page, 'Save').click()
  await notice(page, 'Saved: A-1')
  expect([lines(1), tags(1)]).toEqual([
    [
      ['Ink', 10],
      ['Kettle', 3],
      ['Wax', 5],
    ],
    ['Fragile', 'Trade'],
  ])
  await page.keyboard.press('Control+z')
  await page
    .getByRole('status', { name: 'Notifications' })
    .getByText(/^Undone in /)
    .waitFor()
  expect([lines(1), tags(1)]).toEqual([
    [
      ['Kettle', 6],
      ['Quill', 4],
      ['Ink', 10],
    ],
    ['Gift', 'Trade'],
  ])

  // A new row and its lines at once.
  await page.goto(`${office.origin}/tables/orders/new`)
  await hydrated(page)
  await field(page, 'Number required').fill('A-2')
  await button(page, 'Add line').click()
  await choose(page, 'Product of line 1', 'Ink')
  await page.keyboard.press('Control+s')
  await title(page, 'A-2')
  expect(lines(2)).toEqual([['Ink', 1]])
  expect(complaints).toEqual([])
})
