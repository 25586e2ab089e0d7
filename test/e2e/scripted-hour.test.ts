/**
 * An hour of work in the demo's office, made shorter: two people create, correct, duplicate, edit in cells, delete
 * and undo, by pointer and by keyboard, one after the other and both at once. After each step the table
 * holds what was saved, and nothing else.
 */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { copyDemo } from '../copy-demo.ts'
import { rowsIn } from '../data-file.ts'
import { nightly } from '../nightly.ts'
import { chanceOf } from '../simulator/chance.ts'
import { SEED, within } from '../tier.ts'
import { collectComplaints, type Office, openOffice, settled } from './office.ts'
import { hydrated } from './page-probe.ts'

const STEPS = 150

const FIELDS = ['title', 'hours', 'state', 'note'] as const
type Field = (typeof FIELDS)[number]
type Row = { readonly [field in Field]: string | null }
type Texts = { readonly [field in Field]?: string }
/** Rows by their keys. */
type Rows = ReadonlyMap<number, Row>

let office: Office

function prepare(file: string): void {
  copyDemo(file)
  const made = new DatabaseSync(file)
  made.exec(`create table visits (
      id integer primary key autoincrement, title text not null unique, hours integer,
      state text not null default 'open' check (state in ('open', 'done')), note text,
      airport_id integer references airports (id)
    );
    insert into visits (title, hours, note) values ('Apron', 4, null), ('Tower', null, 'at night'), ('Fence', 9, '')`)
  made.close()
}

beforeAll(async () => void (office = await openOffice(prepare, { write: true })))
afterAll(() => office.close())

const LIST = '/tables/visits?sort=-id'
const chance = chanceOf(SEED)

/** What the table holds. */
const stored = (): Rows =>
  new Map(
    rowsIn(join(office.folder, 'demo.sqlite'), 'select * from visits').map((row) => {
      const text = (name: Field) => (row[name] === null ? null : String(row[name]))
      const [title, hours, state, note] = FIELDS.map(text)
      return [Number(row['id']), { title, hours, state, note } as Row]
    }),
  )

async function open(page: Page, path: string): Promise<void> {
  await page.goto(office.origin + path)
  await hydrated(page)
  await settled(page)
}

let made = 0
const TYPED: { readonly [field in Field]: () => string } = {
  title: () => `${chance.pick(['Runway', 'Löschzug', 'Gate 7', "Crew's"])} ${++made}`,
  hours: () => (chance.happens(0.2) ? '' : String(chance.between(0, 900))),
  state: () => chance.pick(['open', 'done']),
  note: () => chance.pick(['', ' by hand ', 'über "Mittag"', '0', '<b>\\', 'NULL', '😀 %_']),
}

/** Texts for some fields, at least for one. */
function someTexts(): Texts {
  const some = FIELDS.filter(() => chance.happens(0.45))
  return Object.fromEntries(
    (some.length > 0 ? some : ['note' as const]).map((name) => [name, TYPED[name]()]),
  )
}

/** What a field holds once its text has been replaced. */
function held(field: Field, text: string, before: string | null): string | null {
  if (text !== '') return text
  // A field that was empty stays so; of the others a text alone can be empty.
  return before === null || field === 'hours' ? null : ''
}

const after = (row: Row, texts: Texts): Row => ({
  ...row,
  ...Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      held(name as Field, text, row[name as Field]),
    ]),
  ),
})

const input = (page: Page, name: string) => page.locator(`[name="set.${name}"]`)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function fill(page: Page, texts: Texts): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    const field = input(page, name)
    if (name === 'state') await field.selectOption({ label: text })
    else if (chance.happens(0.5)) await field.fill(text)
    else {
      await field.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(text)
    }
  }
}

/** By pointer or by keyboard. */
async function save(page: Page): Promise<void> {
  // What stands under the pointer may show its tooltip over the button.
  await page.mouse.move(0, 0)
  if (chance.happens(0.5)) await button(page, 'Save').click()
  else await page.keyboard.press('Control+s')
}

const saved = (page: Page) => page.waitForURL(/\/records\/\d+(?:\?from=.*)?$/)

const keyIn = (page: Page) => Number(/records\/(\d+)/.exec(page.url())?.[1])

type Step = (page: Page, rows: Rows, key: number) => Promise<Rows>

const edited = (row: Row, texts: Texts): boolean =>
  FIELDS.some((name) => after(row, texts)[name] !== row[name])

const create: Step = async (page, rows) => {
  await open(page, LIST)
  await page.getByRole('link', { name: 'New', exact: true }).click()
  const texts = { ...someTexts(), title: TYPED.title() }
  await input(page, 'title').waitFor()
  await fill(page, texts)
  await input(page, 'airport_id').fill('Abe')
  await page.locator('datalist option').first().waitFor({ state: 'attached' })
  await input(page, 'airport_id').fill('')
  await save(page)
  await saved(page)
  const empty: Row = { title: null, hours: null, state: 'open', note: null }
  return new Map([...rows, [keyIn(page), after(empty, texts)]])
}

const correct: Step = async (page, rows, key) => {
  const [row, texts] = [rows.get(key)!, someTexts()]
  await open(page, `/tables/visits/records/${key}`)
  if (chance.happens(0.5)) await page.keyboard.press('e')
  else await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await input(page, 'title').waitFor()
  await fill(page, texts)
  if (!edited(row, texts)) {
    await page.getByRole('link', { name: 'Cancel' }).click()
    return rows
  }
  await save(page)
  await saved(page)
  return new Map([...rows, [key, after(row, texts)]])
}

const duplicate: Step = async (page, rows, key) => {
  await open(page, `/tables/visits/records/${key}`)
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await page.waitForURL(/copy=/)
  const texts = { title: TYPED.title() }
  await input(page, 'title').waitFor()
  // Refused first: what was typed stays, and can be corrected.
  await save(page)
  await page.getByText('Another row has the same Title.').waitFor()
  await fill(page, texts)
  await save(page)
  await saved(page)
  return new Map([...rows, [keyIn(page), after(rows.get(key)!, texts)]])
}

const LABELS = { title: 'Title', hours: 'Hours', state: 'State', note: 'Note' } as const

const editCell: Step = async (page, rows, key) => {
  const row = rows.get(key)!
  const name = chance.pick<Field>(['title', 'hours', 'note'])
  const text = TYPED[name]()
  await open(page, LIST)
  const at = await page
    .locator('thead th')
    .evaluateAll(
      (heads, name) =>
        heads.findIndex((head) => head instanceof HTMLElement && head.dataset['column'] === name),
      name,
    )
  const cell = page.locator(`tbody tr[data-row-key="${key}"]`).locator('th, td').nth(at)
  if (chance.happens(0.5)) {
    // Beside the link of a title.
    const { width = 0, height = 0 } = (await cell.boundingBox()) ?? {}
    await cell.dblclick({ position: { x: width - 4, y: height / 2 } })
  } else {
    await cell.evaluate((it: HTMLElement) => {
      it.tabIndex = -1
      it.focus()
    })
    await page.keyboard.press('F2')
  }
  const field = page.getByLabel(`${LABELS[name]} of ${row.title}`, { exact: true }).locator('.in')
  // Somebody empties it who has seen what it holds.
  await expect.poll(() => field.inputValue()).toBe(row[name] ?? '')
  await field.fill(text)
  await page.keyboard.press('Enter')
  await field.waitFor({ state: 'detached' })
  return edited(row, { [name]: text })
    ? new Map([...rows, [key, after(row, { [name]: text })]])
    : rows
}

const remove: Step = async (page, rows, key) => {
  await open(page, `/tables/visits/records/${key}`)
  await button(page, 'Delete').click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
  if (chance.happens(0.5)) await confirm.click()
  else await confirm.press('Enter')
  await page.waitForURL(/\/tables\/visits(?:\?.*)?$/)
  return new Map([...rows].filter(([other]) => other !== key))
}

/** Takes back what this person has just done, by key or by the notice. */
async function undo(page: Page): Promise<void> {
  await settled(page)
  const notices = page.getByRole('status', { name: 'Notifications' })
  const offered = notices.getByRole('button', { name: /^(Undo|Redo)$/ }).last()
  // A notice stays for some seconds, the key works as long as the page does.
  const isPointed =
    chance.happens(0.5) &&
    (await offered.click({ timeout: 2000 }).then(
      () => true,
      () => false,
    ))
  if (!isPointed) {
    await page.locator('h1').click()
    await page.keyboard.press('Control+z')
  }
  await notices.getByText('Undone in 1 row.').last().waitFor()
}

/** Both open the form of one row: who saves later chooses where both have changed the same field. */
async function together([ana, ben]: readonly [Page, Page], rows: Rows, key: number): Promise<Rows> {
  const row = rows.get(key)!
  const [hers, his] = [someTexts(), someTexts()]
  await Promise.all([ana, ben].map((page) => open(page, `/tables/visits/records/${key}?edit=on`)))
  await fill(ana, hers)
  await fill(ben, his)
  if (!edited(row, his)) return rows
  await save(ben)
  await saved(ben)
  const now = after(row, his)
  const changed = FIELDS.filter(
    (name) => hers[name] !== undefined && after(row, hers)[name] !== row[name],
  )
  const clashes = changed.filter(
    (name) => now[name] !== row[name] && now[name] !== after(row, hers)[name],
  )
  const kept = new Set(changed.filter((name) => now[name] === row[name]))
  for (const name of clashes) {
    const choice = ana.getByRole('group', { name: LABELS[name] })
    await choice.getByText(/^Ben Okafor changed this, /).waitFor()
    const isMine = chance.happens(0.5)
    await choice.getByRole('button', { name: isMine ? /^Mine: / : /^Theirs: / }).click()
    await choice.waitFor({ state: 'detached' })
    if (isMine) kept.add(name)
  }
  if (kept.size === 0) return new Map([...rows, [key, now]])
  await save(ana)
  await saved(ana)
  const mine = Object.fromEntries([...kept].map((name) => [name, after(row, hers)[name]]))
  return new Map([...rows, [key, { ...now, ...mine }]])
}

const STEP: readonly [Step, ...Step[]] = [
  create,
  correct,
  correct,
  duplicate,
  editCell,
  editCell,
  editCell,
  remove,
]

nightly.lengthy(
  'two people work for an hour, and lose nothing',
  { timeout: within(180_000) },
  async () => {
    const people: [Page, Page] = [
      await (await office.signedIn()).newPage(),
      await (await office.colleague('Ben Okafor')).newPage(),
    ]
    const complaints = people.map(collectComplaints)
    // To leave a form with something typed asks; nothing of it was saved.
    for (const page of people) page.on('dialog', (dialog) => void dialog.accept())
    let rows = stored()
    const done: string[] = []
    for (let step = 0; step < STEPS; step++) {
      const [first, ...others] = rows.keys()
      const isFew = first === undefined || others.length < 2
      const key = first === undefined ? 0 : chance.pick([first, ...others])
      const before = rows
      const page = chance.pick(people)
      if (!isFew && chance.happens(0.2)) {
        done.push(`together on ${key}`)
        rows = await together(people, rows, key)
      } else {
        const what = isFew ? create : chance.pick(STEP)
        done.push(`${what.name} ${key}`)
        rows = await what(page, rows, key)
        await expect.poll(stored, { message: done.slice(-3).join(', ') }).toEqual(rows)
        if (rows !== before && chance.happens(0.3)) {
          done.push('undo')
          await undo(page)
          rows = before
        }
      }
      await expect.poll(stored, { message: done.slice(-3).join(', ') }).toEqual(rows)
      expect(complaints.flat()).toEqual([])
    }
  },
)
