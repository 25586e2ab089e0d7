/** Who else is on a table or a record, in several browsers: they come, are idle, and go. */

import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { rolePolicy } from '../../src/admin/accounts/roles.ts'
import { PRESENCE } from '../../src/protocol/constants.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { type Office, openOffice } from './office.ts'
import { hydrated, followRest } from './page-probe.ts'

let office: Office
let ben: BrowserContext
let cyd: BrowserContext

const prepare = (file: string) => {
  const made = new DatabaseSync(file)
  made.exec(`create table repairs (id integer primary key, title text);
    insert into repairs (title) values ('Wing'), ('Door')`)
  made.close()
}

beforeAll(async () => {
  office = await openOffice(prepare, {
    live: true,
    policy: { ...rolePolicy, tellsName: (_actor, { name }) => name !== 'Max Hidden' },
  })
  ben = await office.colleague('Ben Okafor')
  cyd = await office.colleague('Cyd')
}, 240_000)
afterAll(() => office.close())
/** Everybody leaves. */
afterEach(async () => {
  for (const context of office.browser.contexts())
    for (const page of context.pages()) await page.close()
})

async function open(who: BrowserContext, path = '/tables/repairs'): Promise<Page> {
  const page = await who.newPage()
  await page.goto(office.origin + path)
  await hydrated(page)
  return page
}

const avatar = (page: Page, name: string) => page.getByRole('img', { name, exact: true })

/** What the page says of all others, in order. */
const others = (page: Page) =>
  page
    .getByRole('list', { name: /^Also/ })
    .getByRole('img')
    .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))

/** Puts the tab into the background, or in front again. */
const hide = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

nightly.detail(
  'Ana sees Ben come, do nothing, come back and go, and no name that is hidden; herself she does not',
  async () => {
    const ana = await office.signedIn()
    const [one, other] = [await open(ana), await open(ana)]
    const [first, second] = [await open(ben), await open(ben)]
    for (const page of [one, other]) await avatar(page, 'Ben Okafor is here').waitFor()
    await avatar(first, 'Ana Kovač is here').waitFor()
    await expect.poll(() => others(one)).toEqual(['Ben Okafor is here'])
    await expect.poll(() => others(first)).toEqual(['Ana Kovač is here'])

    await hide(first, true)
    await second.close()
    await avatar(one, 'Ben Okafor, idle').waitFor()
    // Whoever comes later sees it as well.
    const late = await open(cyd)
    await avatar(late, 'Ben Okafor, idle').waitFor()
    await avatar(one, 'Cyd is here').waitFor()
    await expect.poll(() => others(one)).toEqual(['Cyd is here', 'Ben Okafor, idle'])
    // The tab in front: in others, colours do not change at once.
    expect(await violations(other)).toEqual([])

    await hide(first, false)
    await avatar(one, 'Ben Okafor is here').waitFor()
    await first.close()
    await avatar(one, 'Ben Okafor is here').waitFor({ state: 'detached' })
    await late.close()
    await expect.poll(() => others(one)).toEqual([])

    // Somebody whose name the policy hides is there without it.
    await open(await office.colleague('Max Hidden'))
    await avatar(other, 'Somebody is here').waitFor()
    const content = await other.content()
    expect(content).not.toMatch(/Max|Hidden/)
    await other.bringToFront()
    expect(await violations(other)).toEqual([])
  },
)

nightly.detail(
  'after minutes without a move a person is idle, and after long in the background gone',
  async () => {
    const mine = await open(await office.signedIn())
    const page = await ben.newPage()
    await page.clock.install()
    await page.goto(`${office.origin}/tables/repairs`)
    await hydrated(page)
    await avatar(mine, 'Ben Okafor is here').waitFor()
    await page.clock.fastForward(PRESENCE.idleAfterMs)
    await avatar(mine, 'Ben Okafor, idle').waitFor()
    await page.mouse.move(50, 50)
    await avatar(mine, 'Ben Okafor is here').waitFor()
    await hide(page, true)
    await avatar(mine, 'Ben Okafor, idle').waitFor()
    await page.clock.fastForward(PRESENCE.goneAfterMs)
    await expect.poll(() => others(mine)).toEqual([])
    await hide(page, false)
    await avatar(mine, 'Ben Okafor is here').waitFor()
  },
)

nightly.detail(
  'on a record it says who looks at the same one, and in the list who is in the table',
  async () => {
    const ana = await office.signedIn()
    const list = await open(ana)
    const record = await open(ana, '/tables/repairs/records/1')
    await open(cyd, '/tables/repairs/records/2')
    const his = await open(ben, '/tables/repairs/records/1')
    await avatar(record, 'Ben Okafor is looking at this record').waitFor()
    await record.getByText('Ben Okafor is looking at this record').waitFor()
    await expect.poll(() => others(record)).toEqual(['Ben Okafor is looking at this record'])
    await avatar(his, 'Ana Kovač is looking at this record').waitFor()
    await avatar(list, 'Ben Okafor is here').waitFor()
    await avatar(list, 'Cyd is here').waitFor()
    await record.bringToFront()
    expect(await violations(record)).toEqual([])
    // To the next record, without loading the page anew.
    await his.getByRole('link', { name: 'Next' }).click()
    await expect.poll(() => others(record)).toEqual([])
    await avatar(his, 'Cyd is looking at this record').waitFor()
    await avatar(list, 'Ben Okafor is here').waitFor()
  },
)

nightly.detail('of many people it shows some, and names all of them in tooltips', async () => {
  const names = ['Dee', 'Eli', 'Fay', 'Gus', 'Hal']
  for (const name of names) await open(await office.colleague(name))
  const page = await open(await office.signedIn())
  const [first, second, third, ...rest] = names.map((name) => `${name} is here`)
  await expect.poll(() => others(page)).toEqual([first, second, third, rest.join(', ')])
  const more = page.getByText('+2', { exact: true })
  const tip = page.locator('#presence-tip.shown')
  await more.hover()
  await expect.poll(() => tip.textContent()).toBe('Gus is here, Hal is here')
  await page.mouse.move(5, 500)
  await page.getByRole('list', { name: 'Also here' }).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect.poll(() => tip.textContent()).toContain('Dee is here, Eli is here, Fay is here')
  expect(await violations(page)).toEqual([])
})

nightly.detail(
  'nothing of it is loaded, and nobody is told, where lists are not live',
  async () => {
    const quiet = await openOffice(prepare, { live: false })
    const context = await quiet.signedIn()
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('websocket', (socket) => asked.push(socket.url()))
    const rests = followRest(page)
    for (const path of ['/tables/repairs', '/tables/repairs/records/1']) {
      await page.goto(quiet.origin + path)
      await rests()
    }
    expect(asked.filter((url) => /presence|push|\/app\//.test(url))).toEqual([])
    await quiet.close()
  },
)
