/** Putting rows in order in a browser: by pointer, by touch and by keyboard alone. */

import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { UpdateRequest } from '../../src/protocol/wire.ts'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { untilLive } from './live-list.ts'
import { collectComplaints, settled } from './office.ts'
import { ownOffice } from './own-office.ts'
import { hydrated } from './page-probe.ts'

const TASKS = 60

let contexts: BrowserContext[]
let page: Page
let complaints: string[]

const SCHEMA = `
  create table tasks (id integer primary key, title text not null, position integer);
  create index tasks_position on tasks (position, id);
  create table albums (id integer primary key, name text not null);
  insert into albums values (1, 'Calm'), (2, 'Loud');
  create table songs (album_id integer not null references albums (id), title text not null,
    mood text not null, position integer not null, primary key (album_id, title),
    unique (album_id, position));
  create table visits (id integer primary key, title text not null, guests integer, position integer);
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 40)
    insert into visits select n, 'Visit ' || n, iif(n < 40, n, 1234567890123), n from numbers;
`

/** Tasks at 10, 20, …, so that a moved row finds room, and songs at 1, 2, …, within their albums. */
function prepare(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(SCHEMA)
  db.close()
}

const definitions: Definitions = {
  songs: {
    label: 'title',
    reorder: { column: 'position', within: 'album_id', hideColumnUnlessReordering: true },
  },
}

function sql(text: string): unknown[] {
  const db = new DatabaseSync(join(office.folder, 'demo.sqlite'))
  try {
    return db
      .prepare(text)
      .all()
      .map((row) => Object.values(row)[0])
  } finally {
    db.close()
  }
}

/** The ids of the rows as they are stored in order. */
const stored = () => sql('select id from tasks order by position, id')

const office = ownOffice(prepare, { write: true, definitions })
beforeEach(async () => {
  contexts = []
  sql('delete from tasks')
  const rows = Array.from({ length: TASKS }, (_, at) => at + 1)
  sql(`insert into tasks values ${rows.map((id) => `(${id}, 'Task ${id}', ${id * 10})`).join()}`)
  const songs = rows.map(
    (n) => `(${1 + (n % 2)}, 'Song ${n}', '${n % 3 ? 'slow' : 'quick'}', ${n})`,
  )
  sql('delete from songs')
  sql(`insert into songs values ${songs.join()}`)
  page = await open()
  complaints = collectComplaints(page)
})
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()))
  expect(complaints).toEqual([])
})

async function open(options?: BrowserContextOptions, query = ''): Promise<Page> {
  const context = await office.signedIn(options)
  contexts.push(context)
  const opened = await context.newPage()
  await opened.goto(`${office.origin}/tables/tasks${query}`)
  return opened
}

const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: true })
const grip = (id: number, on = page) => button(`Move Task ${id}`, on)
const rows = (on = page) => on.locator('tbody tr[data-row-key]')
const rowOf = (id: number) => page.locator(`tr[data-row-key="${id}"]`)
const ids = async (on = page) =>
  await rows(on).evaluateAll((all) =>
    all.map((row) => Number((row as HTMLElement).dataset['rowKey'])),
  )
const first = async (count: number, on = page) => (await ids(on)).slice(0, count)
const notice = (text: string, on = page) =>
  on.getByRole('status', { name: 'Notifications' }).getByText(text)

async function enter(on = page): Promise<void> {
  await button('Reorder', on).click()
  await grip(1, on).waitFor()
}

/** Presses the handle of a row, and moves over another one, at a part of its height. */
async function dragOver(id: number, target: number, part: number): Promise<void> {
  await grip(id).hover()
  await page.mouse.down()
  await moveOver(target, part)
}

async function moveOver(target: number, part: number): Promise<void> {
  const box = (await rowOf(target).boundingBox())!
  await page.mouse.move(box.x + 60, box.y + box.height * part, { steps: 4 })
}

/** Where the cells of a row begin, from its first one, px. */
const placesOf = async (cells: string) =>
  await page.locator(cells).evaluateAll((all) => {
    const places = all.map((cell) => Math.round(cell.getBoundingClientRect().x))
    return places.map((x) => x - (places[0] ?? 0))
  })

const isOfPage = (one: Request) => (one.postData() ?? '').includes('"reorderPage"')

/** Holds back the pages that are asked for, until what it returns is called. */
async function holdAnswers(): Promise<() => void> {
  const answer = Promise.withResolvers<void>()
  await page.route('**/tablewire/update', async (route) => {
    if (isOfPage(route.request())) await answer.promise
    await route.continue()
  })
  return answer.resolve
}

/**
 * Moves the fourth row to the top and takes that back; the page that shows it is held back until what this
 * returns is called.
 */
async function takeBackHeld(): Promise<() => void> {
  await grip(4).press('t')
  await expect.poll(() => first(4)).toEqual([4, 1, 2, 3])
  const answer = await holdAnswers()
  await Promise.all([page.waitForRequest(isOfPage), button('Undo last move').click()])
  return answer
}

/** The payload of `storeReorder` that the page sends next. */
async function saved(save: () => Promise<void>): Promise<unknown> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => (one.postData() ?? '').includes('storeReorder')),
    save(),
  ])
  const { components } = JSON.parse(request.postData() ?? '') as UpdateRequest
  const call = components.flatMap(({ calls }) => calls).find((one) => one.method === 'storeReorder')
  return call?.params[0]
}

describe('by pointer', () => {
  test('a row lands before a row in its upper half and after it in the lower, also by keyboard, and is saved', async () => {
    await enter()
    await dragOver(1, 5, 0.25)
    await expect.poll(() => page.locator('.lifted').count()).toBe(1)
    // The whole row rides along, its cells beside one another as in the table.
    expect(await placesOf('.lifted tr > *')).toEqual(await placesOf('tr[data-hole] > *'))
    await expect.poll(() => page.locator('tr[data-hole]').getAttribute('data-row-key')).toBe('1')
    await expect.poll(() => page.locator('tr[data-drop]').getAttribute('data-drop')).toBe('before')
    await page.mouse.up()
    expect(await first(5)).toEqual([2, 3, 4, 1, 5])
    await dragOver(10, 2, 0.75)
    await page.mouse.up()
    expect(await first(6)).toEqual([2, 10, 3, 4, 1, 5])
    const parities = await rows().evaluateAll((all) =>
      all.slice(0, 3).map((row) => (row as HTMLElement).dataset['parity']),
    )
    expect(parities).toEqual(['odd', 'even', 'odd'])
    await page.getByText('2 moves not saved').waitFor()
    await expect.poll(() => page.locator('tr.moved').count()).toBe(2)
    await expect
      .poll(() => page.locator('tr[data-row-key="10"] .c-pos').innerText())
      .toMatch(/10\s*2/)
    expect(await violations(page)).toEqual([])

    expect(await saved(() => button('Save order').click())).toEqual([
      { id: '10', position: 2 },
      { id: '1', position: 5 },
    ])
    await notice('The order of 2 rows is saved.').waitFor()
    expect(stored().slice(0, 6)).toEqual([2, 10, 3, 4, 1, 5])
    await button('Reorder').waitFor()

    await button('Undo').click()
    await notice('Undone in 2 rows.').waitFor()
    expect(stored().slice(0, 4)).toEqual([1, 2, 3, 4])

    // By keyboard alone, where each step is told.
    await button('Reorder').press('Enter')
    await grip(25).focus()
    await page.keyboard.press('Space')
    await page.getByText('Task 25 lifted, place 25.').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByText('Task 25, place 26', { exact: true }).waitFor()
    await page.getByText('Page 2 of 3').waitFor()
    expect(await first(2)).toEqual([25, 27])
    await expect.poll(() => grip(25).evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByText('Task 25 put back to place 25').waitFor()
    await page.getByText('Nothing moved yet').waitFor()
    await grip(25).waitFor()
    await grip(25).press('t')
    await page.getByText('Task 25 dropped at place 1').waitFor()
    expect(await first(3)).toEqual([25, 1, 2])
    await button('Save order').press('Enter')
    await notice('The row’s new position is saved.').waitFor()
    expect(stored().slice(0, 3)).toEqual([25, 1, 2])
  })

  nightly.detail.each([0.25, 0.75])(
    'the lifted row leaves the line free that says where it lands, at %f of a row',
    async (part) => {
      await enter()
      await dragOver(3, 5, part)
      const row = (await rowOf(5).boundingBox())!
      const line = part < 0.5 ? row.y : row.y + row.height
      const lifted = (await page.locator('.lifted').boundingBox())!
      expect(lifted.x).toBeGreaterThan(row.x)
      expect(lifted.y).toBeGreaterThan(line)
      expect(lifted.y).toBeLessThan(line + row.height / 2)
      await page.mouse.up()
    },
  )

  nightly.detail(
    'a handle tells its row and its keys, but not while a row is dragged over it',
    async () => {
      await enter()
      const tip = page.locator('[role=tooltip].shown')
      await page.locator('h1').hover()
      await grip(1).hover()
      await tip
        .filter({ hasText: 'Move Task 1' })
        .getByText(/^Space lifts and drops/)
        .waitFor()
      await page.mouse.down()
      await grip(5).hover()
      await page.locator('.lifted').waitFor()
      await expect.poll(() => tip.count()).toBe(0)
      await page.mouse.up()
    },
  )

  nightly.detail('the bar counts the move that is being made', async () => {
    await enter()
    await dragOver(2, 6, 0.75)
    await page.getByText('1 move not saved').waitFor()
    await moveOver(3, 0.25)
    await page.getByText('Nothing moved yet').waitFor()
    await page.mouse.up()
  })

  nightly.detail('Escape puts a dragged row back', async () => {
    await enter()
    await dragOver(2, 6, 0.75)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await first(3)).toEqual([1, 2, 3])
  })

  test('an update does not undo the drag, and is shown once the hand has left', async () => {
    await untilLive(page)
    await enter()
    const answer = Promise.withResolvers<void>()
    // From before answers are held: the page may ask by itself just now, since it has joined its channel.
    const asked = page.waitForRequest('**/tablewire/update')
    await page.route('**/tablewire/update', async (route) => {
      await answer.promise
      await route.continue()
    })
    sql("update tasks set title = 'Changed' where id = 5")
    const refresh = await asked
    await dragOver(2, 4, 0.75)
    answer.resolve()
    await (await refresh.response())!.finished()
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    await expect.poll(() => page.locator('.lifted').count()).toBe(1)
    await page.mouse.up()
    expect(await first(5)).toEqual([1, 3, 4, 2, 5])
    await page.locator('h1').click()
    await rowOf(5).getByText('Changed').waitFor()
    expect(await first(5)).toEqual([1, 3, 4, 2, 5])
    await page.getByText('1 move not saved').waitFor()
  })
})

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }

nightly.detail('by touch, to another page, in the dialog of the handle', async () => {
  page = await open(PHONE)
  await hydrated(page)
  await button('Reorder').tap()
  await grip(2).tap()
  const dialog = page.getByRole('dialog', { name: 'Move Task 2 to a position' })
  await dialog.getByLabel('Position').tap()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('30')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Move', exact: true }).tap()
  // The row stands on the page before, too.
  await expect.poll(() => first(5)).toEqual([27, 28, 29, 30, 2])
  await button('Save order').tap()
  await notice('The row’s new position is saved.').waitFor()
  expect(stored().indexOf(2)).toBe(29)
})

nightly.detail('columns grow where a number on another page needs it', async () => {
  await page.goto(`${office.origin}/tables/visits`)
  await button('Reorder').click()
  await button('Move Visit 1').waitFor()
  await button('Next page').click()
  const number = page.getByRole('cell', { name: /^1.?234.?567.?890.?123$/ })
  await number.waitFor()
  await expect.poll(() => number.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)
})

nightly.detail(
  'the buttons of the dialog stand in lines, with their texts in their middle, and Cancel closes it',
  async () => {
    await enter()
    await grip(3).press('g')
    const dialog = page.getByRole('dialog', { name: 'Move Task 3 to a position' })
    await dialog.getByRole('searchbox').fill('Task 50')
    await page.keyboard.press('Enter')
    await button('Before Task 50').waitFor()
    const middles = await dialog.getByRole('button').evaluateAll((all) =>
      all.map((one) => {
        const box = one.getBoundingClientRect()
        const text = document.createRange()
        text.selectNodeContents(one)
        const inner = text.getBoundingClientRect()
        return {
          middle: box.top + box.height / 2,
          off: Math.abs(box.top + box.height / 2 - inner.top - inner.height / 2),
        }
      }),
    )
    expect(middles.filter(({ off }) => off > 1)).toEqual([])
    const [move, top, bottom, , before, after] = middles.map(({ middle }) => middle)
    const field = (await dialog.getByLabel('Position').boundingBox())!
    expect(move).toBeCloseTo(field.y + field.height / 2)
    expect(top).toBe(bottom)
    expect(before).toBe(after)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Nothing moved yet').waitFor()
  },
)

describe('by keyboard alone', () => {
  nightly.detail('after Enter on the button, an arrow leads to the first handle', async () => {
    await button('Reorder').press('Enter')
    await grip(1).waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => grip(1).evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('b')
    await expect.poll(() => grip(1).evaluate((it) => it === document.activeElement)).toBe(true)
    await page.getByText('Task 1 dropped at place 60').waitFor()
  })

  nightly.detail('g, a number and Enter move a row to that position', async () => {
    await enter()
    await grip(8).press('g')
    const dialog = page.getByRole('dialog', { name: 'Move Task 8 to a position' })
    const field = dialog.getByRole('spinbutton', { name: 'Position' })
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await first(4)).toEqual([1, 2, 8, 3])
  })

  nightly.detail(
    'the last move that is taken back gives the focus to its row, on whatever page',
    async () => {
      const isFocused = (element: HTMLElement | SVGElement) => element === document.activeElement
      await enter()
      await grip(3).press('b')
      await page.getByText('Page 3 of 3').waitFor()
      await grip(60).press('t')
      await page.getByText('Page 1 of 3').waitFor()
      await button('Undo last move').press('Enter')
      await page.getByText('Task 60 put back to place 59').waitFor()
      await page.getByText('Page 3 of 3').waitFor()
      await expect.poll(() => button('Undo last move').evaluate(isFocused)).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByText('Page 1 of 3').waitFor()
      await expect.poll(() => grip(3).evaluate(isFocused)).toBe(true)
      expect(await first(4)).toEqual([1, 2, 3, 4])
    },
  )

  nightly.detail(
    'a key that comes before the page shows what was taken back is for the row where it stands',
    async () => {
      await enter()
      const answer = await takeBackHeld()
      // Where it is still shown, it is the first already.
      await grip(4).press('t')
      answer()
      await page.getByText('1 move not saved').waitFor()
      await expect.poll(() => first(4)).toEqual([4, 1, 2, 3])
    },
  )

  nightly.detail('so are all keys that come before it, one after the other', async () => {
    await enter()
    const answer = await takeBackHeld()
    await grip(4).focus()
    for (const key of ['Space', 'ArrowDown', 'ArrowDown', 'Space', 'ArrowUp'])
      await page.keyboard.press(key)
    answer()
    await expect.poll(() => first(6)).toEqual([1, 2, 3, 5, 6, 4])
    await page.getByText('Task 4 dropped at place 6').waitFor()
    await expect.poll(() => grip(6).evaluate((it) => it === document.activeElement)).toBe(true)
  })

  nightly.detail('a key behind an arrow is for the row that the arrow leads to', async () => {
    await enter()
    const answer = await takeBackHeld()
    await grip(4).focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'b', 't']) await page.keyboard.press(key)
    answer()
    await expect.poll(() => first(6)).toEqual([6, 1, 2, 3, 4, 5])
    await expect.poll(() => grip(6).evaluate((it) => it === document.activeElement)).toBe(true)
  })

  nightly.detail(
    'what waits is given up with the mode, and saved with what was moved before',
    async () => {
      await enter()
      const answer = await takeBackHeld()
      await grip(4).press('t')
      await button('Cancel').click()
      answer()
      await grip(4).waitFor({ state: 'detached' })
      await settled(page)
      await enter()
      expect(await first(4)).toEqual([1, 2, 3, 4])
      await page.getByText('Nothing moved yet').waitFor()
      await page.unrouteAll()
      const late = await takeBackHeld()
      await grip(4).press('t')
      const list = await saved(async () => {
        await button('Save order').click()
        late()
      })
      expect(list).toEqual([{ id: '4', position: 1 }])
    },
  )

  nightly.detail('arrows that come faster than the next page carry a row on', async () => {
    await enter()
    await grip(25).focus()
    await page.keyboard.press('Space')
    const answer = await holdAnswers()
    for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowDown')
    answer()
    await page.getByText('Task 25, place 28').waitFor()
    await expect.poll(() => first(4)).toEqual([27, 28, 25, 29])
    await page.keyboard.press('Escape')
    await page.getByText('Task 25 put back to place 25').waitFor()
    await expect.poll(() => first(25)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
  })

  nightly.detail('a move to another page asks for that page once', async () => {
    await enter()
    const asked: string[] = []
    page.on('request', (request) => {
      asked.push(...((request.postData() ?? '').match(/"reorderPage"/g) ?? []))
    })
    await grip(25).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.getByText('Page 2 of 3').waitFor()
    expect(await first(2)).toEqual([25, 27])
    expect(asked).toHaveLength(1)
  })

  nightly.detail('to the bottom, to a position, and next to a row found by its text', async () => {
    await enter()
    await grip(3).press('b')
    await page.getByText('Page 3 of 3').waitFor()
    expect((await ids()).at(-1)).toBe(3)
    await button('Previous page').press('Enter')
    await page.getByText('Page 2 of 3').waitFor()
    expect(await first(2)).toEqual([27, 28])
    await grip(27).press('g')
    const dialog = page.getByRole('dialog', { name: 'Move Task 27 to a position' })
    await dialog.getByLabel('Position').fill('2')
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel('Position').press('Enter')
    await page.getByText('Page 1 of 3').waitFor()
    expect(await first(4)).toEqual([1, 27, 2, 4])
    await grip(1).press('g')
    await page.getByLabel('Or next to a row').fill('Task 50')
    await page.keyboard.press('Enter')
    await button('After Task 50').click()
    await page.getByText('Page 2 of 3').waitFor()
    expect(await ids()).toContain(1)
    await button('Save order').click()
    await notice('The order of 3 rows is saved.').waitFor()
    const order = stored()
    expect(order.slice(0, 2)).toEqual([27, 2])
    expect(order.indexOf(1)).toBe(order.indexOf(50) + 1)
    expect(order.at(-1)).toBe(3)
  })
})

describe('the keys of the mode', () => {
  nightly.detail('stand in the foot, and in the dialog of all keys', async () => {
    await enter()
    const caps = await page.locator('.foot kbd').allInnerTexts()
    expect(caps).toEqual(['Space', '↑', '↓', 'T', 'B', 'G', 'Esc'])
    await grip(3).press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    const section = keys.locator('section', { has: page.getByRole('heading', { name: 'Reorder' }) })
    await section.waitFor()
    const lines = await section
      .locator('dl > div')
      .evaluateAll((all) =>
        all.map((line) => [
          line.querySelector('dt')?.textContent,
          [...line.querySelectorAll('kbd')].map((cap) => cap.textContent).join(' '),
        ]),
      )
    expect(lines).toEqual([
      ['Next, previous row', '↓ ↑'],
      ['Lift, drop a row', 'Space'],
      ['Move the lifted row', '↓ ↑'],
      ['To the top', 'T'],
      ['To the bottom', 'B'],
      ['To a position', 'G'],
      ['Put the lifted row back', 'Esc'],
    ])
  })

  nightly.detail(
    'of a search next to a row: what an earlier text has found does not come later',
    async () => {
      await enter()
      await grip(1).press('g')
      const field = page.getByLabel('Or next to a row')
      let answer: () => void = () => undefined
      const held = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/tablewire/update', async (route) => {
        if ((route.request().postData() ?? '').includes('"Task 50"')) await held
        await route.continue()
      })
      await field.fill('Task 50')
      // Questions at the same time would share a request.
      const [first] = await Promise.all([
        page.waitForRequest((one) => (one.postData() ?? '').includes('"Task 50"')),
        field.press('Enter'),
      ])
      await field.fill('Task 20')
      await field.press('Enter')
      await button('Before Task 20').waitFor()
      answer()
      await (await first.response())!.finished()
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
      await expect.poll(() => button('Before Task 20').count()).toBe(1)
      await expect.poll(() => button('Before Task 50').count()).toBe(0)
    },
  )
})

nightly.detail(
  'what others have changed is shown, though a row is moved while that is read',
  async () => {
    await untilLive(page)
    await enter()
    const asked = page.waitForRequest(isOfPage)
    const answer = await holdAnswers()
    sql("update tasks set title = 'Changed' where id = 5")
    await asked
    await grip(3).press('t')
    await page.getByText('Task 3 dropped at place 1').waitFor()
    answer()
    await rowOf(5).getByText('Changed').waitFor()
    expect(await first(3)).toEqual([3, 1, 2])
  },
)

nightly.detail('two people: the later one is shown what changed, and may go on', async () => {
  const other = await open()
  await enter()
  await enter(other)
  await grip(20, other).press('t')
  await grip(9).press('g')
  await page.getByRole('spinbutton', { name: 'Position' }).fill('1')
  await page.keyboard.press('Enter')
  await button('Save order', other).click()
  await notice('is saved', other).waitFor()
  await button('Save order').click()
  const dialog = page.getByRole('dialog', { name: 'Nothing was saved' })
  await dialog.getByText('Task 9 would now stand first, before Task 20').waitFor()
  expect(stored().slice(0, 3)).toEqual([20, 1, 2])
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Look again' }).click()
  await expect.poll(() => first(3)).toEqual([9, 20, 1])
  await button('Save order').click()
  await notice('is saved').waitFor()
  expect(stored().slice(0, 3)).toEqual([9, 20, 1])
})

nightly.detail(
  'two people move one row: the later one is shown where it stands, and may save anyway',
  async () => {
    const other = await open()
    await enter()
    await enter(other)
    await grip(5, other).press('b')
    await other.getByText('Task 5 dropped at place 60').waitFor()
    await grip(5).press('t')
    await button('Save order', other).click()
    await notice('is saved', other).waitFor()
    await button('Save order').click()
    const dialog = page.getByRole('dialog', { name: 'Nothing was saved' })
    await dialog.getByText('Meanwhile, Task 5 stands last, after Task 60.').waitFor()
    expect(stored().at(-1)).toBe(5)
    await dialog.getByRole('button', { name: 'Save anyway' }).click()
    await notice('is saved').waitFor()
    expect(stored().slice(0, 2)).toEqual([5, 1])
  },
)

nightly.detail(
  'search and sort are set aside and come back, and Cancel keeps the stored order',
  async () => {
    page = await open({}, '?search=Task+4&sort=-title')
    const before = await ids()
    await enter()
    expect(await first(2)).toEqual([1, 2])
    await grip(2).press('t')
    await button('Cancel').click()
    await expect.poll(() => ids()).toEqual(before)
    expect(stored().slice(0, 2)).toEqual([1, 2])
  },
)

describe('within a parent', () => {
  const chips = async () => {
    const buttons = page.getByRole('region', { name: 'Active filters' }).getByRole('button')
    return (await buttons.allTextContents()).filter(Boolean)
  }
  const heads = async () =>
    (await page.locator('thead th').allInnerTexts()).map((text) => text.trim()).filter(Boolean)
  const titles = () =>
    page
      .locator('tbody tr[data-row-key]')
      .evaluateAll((all) =>
        all.map((row) => (row as HTMLElement).dataset['rowKey']?.replace(/.*Song /, '')),
      )
  const storedSongs = (album: number) =>
    sql(`select replace(title, 'Song ', '') from songs where album_id = ${album} order by position`)

  async function openSongs(query: string): Promise<void> {
    await page.goto(`${office.origin}/tables/songs${query}`)
    await hydrated(page)
  }

  nightly.detail('one parent is chosen first, which is said', async () => {
    await openSongs('')
    await expect.poll(() => button('Reorder').getAttribute('aria-disabled')).toBe('true')
    const reason = 'The order counts within Album: filter the list by one first.'
    await button('Reorder').focus()
    await page.getByRole('tooltip').getByText(reason).waitFor()
    // It is said to be disabled, and takes clicks.
    await button('Reorder').click({ force: true })
    await notice(reason).waitFor()
    await expect.poll(() => button('Save order').count()).toBe(0)
  })

  nightly.detail(
    'its filter stays, every other one is set aside and comes back, as does a hidden column',
    async () => {
      await openSongs('?filter.album_id=1&filter.mood.in=quick')
      const before = { titles: await titles(), chips: await chips(), heads: await heads() }
      expect(before.titles).toHaveLength(10)
      expect(before.chips).toEqual(['Album Calm', 'Mood quick', 'Clear all filters'])
      expect(before.heads).not.toContain('Position')
      await button('Reorder').click()
      await button('Move Song 2').waitFor()
      await expect.poll(async () => (await titles()).slice(0, 3)).toEqual(['2', '4', '6'])
      await expect.poll(() => page.locator('.foot').innerText()).toContain('of 30')
      expect(await heads()).toContain('Position')
      await button('Cancel').click()
      await button('Reorder').waitFor()
      await expect
        .poll(async () => ({ titles: await titles(), chips: await chips(), heads: await heads() }))
        .toEqual(before)
    },
  )

  nightly.detail('rows of a composite key are moved, and the other parent’s stay', async () => {
    const others = storedSongs(2)
    await openSongs('?filter.album_id=1')
    await button('Reorder').click()
    await button('Move Song 6').press('t')
    await page.getByText('Song 6 dropped at place 1').waitFor()
    expect(await saved(() => button('Save order').click())).toEqual([
      { key: '1,Song 6', position: 1 },
    ])
    await notice('The row’s new position is saved.').waitFor()
    expect(storedSongs(1).slice(0, 4)).toEqual(['6', '2', '4', '8'])
    expect(storedSongs(2)).toEqual(others)
    expect(await heads()).not.toContain('Position')
  })

  nightly.detail(
    'positions without gaps are spaced out before a far move, which is then saved',
    async () => {
      sql('update songs set position = position + 1000')
      sql('update songs set position = (position - 1000) / 2 where album_id = 1')
      await openSongs('?filter.album_id=1')
      await button('Reorder').click()
      await button('Move Song 2').press('b')
      await page.getByText('A move this far may write all rows between.').waitFor()
      await button('Space out positions').click()
      await notice('The positions have room between them now.').waitFor()
      await button('Space out positions').waitFor({ state: 'detached' })
      expect(storedSongs(1).slice(0, 3)).toEqual(['2', '4', '6'])
      await page.getByText('1 move not saved').waitFor()
      const before = sql("select position from songs where title <> 'Song 2' order by title")
      await button('Save order').click()
      await notice('The row’s new position is saved.').waitFor()
      expect(storedSongs(1).at(-1)).toBe('2')
      expect(sql("select position from songs where title <> 'Song 2' order by title")).toEqual(
        before,
      )
    },
  )
})

nightly.detail(
  'the mode is entered from the palette, and a document that begins in it hydrates as it was drawn',
  async () => {
    page = await open()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('reorder')
    await page.keyboard.press('Enter')
    await button('Save order').waitFor()
    await page.reload()
    await button('Save order').waitFor()
    await grip(1).waitFor()
  },
)

describe('leaving the list while moves are not saved', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Leave without saving?' })
  const path = () => page.evaluate(() => location.pathname + location.search)
  const record = () => page.getByRole('link', { name: 'Task 5', exact: true })
  const MODE = '/tables/tasks?reorder=on'

  async function moveOne(): Promise<void> {
    await enter()
    await grip(3).focus()
    await page.keyboard.press('t')
    await page.getByText('1 move not saved').waitFor()
  }

  test('a link asks in a dialog: “Stay” stays, “Leave without saving” leaves', async () => {
    await moveOne()
    await record().click()
    await dialog().getByText('If you leave now, 1 move is not saved.').waitFor()
    expect(await violations(page)).toEqual([])
    await expect
      .poll(() => button('Stay').evaluate((one) => one === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => path()).toBe(MODE)
    expect((await first(2)).at(0)).toBe(3)
    await record().click()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => path()).toBe(MODE)
    await record().click()
    await button('Leave without saving').click()
    await page.getByRole('heading', { name: 'Task 5', level: 1 }).waitFor()
    expect(stored().slice(0, 3)).toEqual([1, 2, 3])
  })

  nightly.detail('back and forward ask, and the address stays that of the list', async () => {
    await page.goto(`${office.origin}/you`)
    // Before that, the link would load a document, and going back would leave this one.
    await hydrated(page)
    await page
      .getByRole('link', { name: /^Tasks/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await moveOne()
    // Out of the mode, and two steps at once, out of the list.
    for (const steps of [-1, -2]) {
      await page.evaluate((count) => history.go(count), steps)
      await button('Stay').click()
      await dialog().waitFor({ state: 'detached' })
      await expect.poll(() => path()).toBe(MODE)
      expect((await first(1)).at(0)).toBe(3)
    }
    await page.evaluate(() => history.go(-2))
    await button('Leave without saving').click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    await expect.poll(() => path()).toBe('/you')
    await page.goForward()
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await expect.poll(() => path()).toBe('/tables/tasks')
  })

  nightly.detail('the palette and the keys of the shell ask', async () => {
    await moveOne()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await button('Stay').click()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('Tasks')
    await page.keyboard.press('Enter')
    await button('Stay').click()
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => path()).toBe(MODE)
  })

  nightly.detail('nobody is asked once the moves are saved or given up', async () => {
    await moveOne()
    await button('Cancel').click()
    await button('Reorder').waitFor()
    await record().click()
    await page.getByRole('heading', { name: 'Task 5', level: 1 }).waitFor()
    await expect.poll(() => dialog().count()).toBe(0)
  })
})

nightly.detail('without script, the mode is entered and left as a form', async () => {
  page = await open({ javaScriptEnabled: false }, '?search=Task+4')
  const before = await ids()
  await button('Reorder').click()
  expect(await first(2)).toEqual([1, 2])
  await button('Cancel').click()
  expect(await ids()).toEqual(before)
})
