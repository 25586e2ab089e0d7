/**
 * `npm run screenshots [name…]`: takes the pictures in docs/screenshots from the running demo, so that they
 * stay up to date; all of them, or those that are named.
 */

import { mkdir } from 'node:fs/promises'
import { Secret, TOTP } from 'otpauth'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { addPhotographs } from '../demo/photographs.ts'
import { roles } from '../demo/roles.ts'
import demo from '../demo/tablewire.config.ts'
import { copyDemo } from '../test/copy-demo.ts'
import { ADMINISTRATOR, type Office, openOffice, settled } from '../test/e2e/office.ts'

const FOLDER = 'docs/screenshots'
const WIDTHS = [1440, 768, 390]

const RANGES =
  'filter.incident_date.minDate=1998-06-08&filter.incident_date.maxDate=2002-07-25' +
  '&filter.speed_kt.min=80&filter.speed_kt.max=260&filter.phase.in=Approach,Climb'

/** Ticks a few rows and opens the menu of what can be done with them. */
async function select(page: Page): Promise<void> {
  for (const at of [1, 2, 3, 5, 9])
    await page.locator('tbody tr').nth(at).getByRole('checkbox').check()
  await page.locator('tfoot').getByText('5 selected').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Bulk actions' }).click()
}

/** Chooses what to change in all rows. */
async function fill(page: Page): Promise<void> {
  await select(page)
  await page.getByRole('menuitem', { name: 'Edit fields…' }).click()
  const field = page.getByRole('combobox', { name: 'Field to change', exact: true })
  await field.selectOption('Status')
  await page.getByRole('combobox', { name: 'Value of Status' }).selectOption('Closed')
  await field.selectOption('Speed')
  await page.getByRole('combobox', { name: 'How to change Speed' }).selectOption('Multiply by')
  await page.getByRole('textbox', { name: 'Value of Speed' }).fill('1.15')
  await field.waitFor()
}

/** Seals a plan for all of them. */
async function plan(page: Page): Promise<void> {
  await page.locator('tbody tr').first().getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Select all/ }).click()
  await page.getByRole('button', { name: 'Bulk actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit fields…' }).click()
  await page.getByRole('combobox', { name: 'Field to change', exact: true }).selectOption('Status')
  await page.getByRole('combobox', { name: 'Value of Status' }).selectOption('Closed')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByText('To be written').waitFor()
}

/** Two conditions of which one must hold. */
async function build(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a group' }).click()
  const dialog = page.getByRole('dialog', { name: 'Conditions' })
  const filters = dialog.getByRole('combobox', { name: 'Filter', exact: true })
  await dialog.getByRole('combobox', { name: 'Rows fulfil' }).selectOption('any of these')
  await filters.selectOption('Speed')
  await dialog.getByLabel('Minimum', { exact: true }).fill('300')
  await dialog.getByRole('button', { name: 'Add a condition' }).click()
  await filters.last().selectOption('Phase')
  await dialog.getByRole('checkbox', { name: /^Climb/ }).check()
}

/** Shows the button of a column’s head, and its menu. */
async function openHead(page: Page): Promise<void> {
  await page.getByRole('columnheader', { name: 'Speed' }).hover()
  await page.getByRole('link', { name: 'Filter by Speed' }).click()
  await page.getByRole('dialog', { name: 'Filter by Speed' }).waitFor()
}

/** Moves one row down, and holds another. */
async function order(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reorder', exact: true }).click()
  const grip = (at: number) => page.getByRole('button', { name: /^Move / }).nth(at)
  const hold = async (at: number, downs: number) => {
    await grip(at).focus()
    await page.keyboard.press('Space')
    for (let i = 0; i < downs; i++) await page.keyboard.press('ArrowDown')
  }
  await hold(1, 2)
  await page.keyboard.press('Space')
  await hold(6, 1)
}

/** Opens what an export asks for. */
async function exportRows(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await page.getByRole('dialog').waitFor()
}

/** Shows the third row beside the list. */
async function peek(page: Page): Promise<void> {
  await page.locator('tbody tr').nth(2).locator('.row-link').focus()
  await page.keyboard.press('Space')
  await page.getByRole('complementary').getByText('Airport name').waitFor()
}

async function askToAllow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Allow changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow changes' }).waitFor()
}

type Screen = readonly [name: string, path: string, act?: (page: Page) => Promise<void>]

/** Parts of the list, without what is around them; docs/tables.md shows them. */
const PARTS: readonly Screen[] = [
  ['builder', '/tables/strikes?filters=open', build],
  ['export', '/tables/strikes?filter.species_id=38', exportRows],
  ['allow-changes', '/tables/inspections', askToAllow],
]
const PARTS_AT_1440: readonly Screen[] = [['head-menu', '/tables/strikes', openHead]]
/** In a database that takes changes. */
const WRITING: readonly Screen[] = [['reorder', '/tables/inspections', order]]

/** Asks whether Mira’s second factor is to be taken away. */
async function askSecondOff(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'What can be done with Mira Lindqvist' }).click()
  await page.getByRole('menuitem', { name: 'Take the second factor away' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take it away' }).waitFor()
}

/** Corrects the table’s name and a column beside its rows. */
async function correct(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Correct this table…' }).click()
  await page.getByLabel('Label', { exact: true }).fill('Airfields')
  await page.getByRole('button', { name: /^Move City/ }).press('ArrowUp')
  await page.getByText('2 changes, not saved').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Airfields' }).waitFor()
}

/** Whole pages of that database. */
const WRITING_SCREENS: readonly Screen[] = [
  ['form', '/tables/strikes/records/287?edit=on', (page) => page.getByLabel('Remarks').waitFor()],
  ['edit-fields', '/tables/strikes', fill],
  ['plan', '/tables/strikes?filter.speed_kt.min=200', plan],
  ['people', '/people'],
  ['second-off', '/people', askSecondOff],
  ['roles', '/people/roles'],
]

const openPictured = (page: Page) =>
  page
    .locator('tr', { has: page.locator('a.picture + a.picture + a.picture') })
    .first()
    .locator('.row-link')
    .click()

/** Opens the form of a strike with a photograph, and chooses what its field does not take. */
async function chooseFile(page: Page): Promise<void> {
  await openPictured(page)
  await page.getByRole('link', { name: 'Edit' }).click()
  const field = page.locator('.form-field', { has: page.locator('.filepond--root') })
  const report = { name: 'lab-2231.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') }
  await field.locator('.filepond--browser').setInputFiles(report)
  await field.locator('.say', { hasText: 'not taken' }).waitFor()
  await field.evaluate((element) => element.scrollIntoView({ block: 'center' }))
}

async function openPicture(page: Page): Promise<void> {
  await openPictured(page)
  await page.locator('.file-value img').first().click()
  const picture = page.getByRole('dialog').getByRole('img')
  await picture.evaluate((image: HTMLImageElement) => image.decode())
}

/** In a database whose strikes have photographs. */
const PICTURES: readonly Screen[] = [
  ['pictures', '/tables/strikes', (page) => page.waitForLoadState('networkidle')],
  ['files', '/tables/strikes', chooseFile],
  ['picture', '/tables/strikes', openPicture],
  ['correcting', '/tables/airports', correct],
]

const SCREENS: readonly Screen[] = [
  ['list', '/tables/strikes'],
  ['search', '/tables/strikes?search=goose'],
  ['filtered', '/tables/strikes?filter.species_id=38'],
  ['filters', `/tables/strikes?filters=open&${RANGES}`],
  [
    'calendar',
    `/tables/strikes?filters=open&${RANGES}`,
    async (page) => {
      const group = page.getByRole('group', { name: 'Incident date', exact: true })
      await group.getByRole('button', { name: 'Open calendar' }).click()
      await page.getByRole('grid').first().waitFor()
    },
  ],
  ['record', '/tables/strikes/records/287'],
  ['peek', '/tables/strikes', peek],
  ['no-match', '/tables/strikes?search=dodo'],
  [
    'keys',
    '/tables/strikes',
    async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Filters').waitFor()
    },
  ],
  ['display', '/tables/strikes', (page) => page.getByRole('button', { name: 'Display' }).click()],
  ['selection', '/tables/strikes', select],
  ['error', '/tables/strikes?sort=colour'],
  ['account', '/you'],
]

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

/** Right of the sidebar, and no higher than the part. */
const partOf = (name: string) => ({ x: 200, y: 0, width: 1240, height: 480, ...CLIPS[name] })

const CLIPS: { readonly [name: string]: { x?: number; width?: number; height: number } } = {
  builder: { height: 740 },
  'allow-changes': { x: 500, width: 940, height: 620 },
}

type Look = { readonly colorScheme: 'light' | 'dark'; readonly width: number }

async function take(
  office: Office,
  screens: readonly Screen[],
  { colorScheme, width }: Look,
  isPart = false,
) {
  const viewport = { width, height: width === 390 ? 844 : 900 }
  const signedIn = await office.signedIn({ colorScheme, viewport })
  for (const [name, path, act] of screens.filter(([name]) => isWanted(name))) {
    const page = await signedIn.newPage()
    await page.goto(office.origin + path)
    await settled(page)
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await act?.(page)
    await page.screenshot({
      path: `${FOLDER}/${name}-${width}-${colorScheme}.png`,
      ...(isPart && width === 1440 && { clip: partOf(name) }),
    })
    await page.close()
  }
  await signedIn.close()
}

async function takeSignIn(office: Office, { colorScheme, width }: Look, name = 'sign-in') {
  const viewport = { width, height: width === 390 ? 844 : 900 }
  const anonymous = await office.signedOut({ colorScheme, viewport })
  const page = await anonymous.newPage()
  await page.goto(`${office.origin}/sign-in`)
  await page.screenshot({ path: `${FOLDER}/${name}-${width}-${colorScheme}.png` })
  await anonymous.close()
}

/** What is asked after the password of somebody who uses codes. */
async function takeSecondStep({ signedOut, origin }: Office, { colorScheme, width }: Look) {
  const viewport = { width, height: width === 390 ? 844 : 900 }
  const anonymous = await signedOut({ colorScheme, viewport })
  const page = await anonymous.newPage()
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel('Email').fill('mira@example.org')
  await page.getByLabel('Password').fill(ADMINISTRATOR.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await page.screenshot({ path: `${FOLDER}/second-step-${width}-${colorScheme}.png` })
  await anonymous.close()
}

const office = await openOffice()
const writing = await openOffice(undefined, { write: true, roles })
const pictured = await openOffice(
  (file) => {
    copyDemo(file)
    addPhotographs(file, join(dirname(file), 'data'))
  },
  // Nothing of airports is declared, so that it can be corrected.
  { write: true, definitions: { ...demo.tables, airports: { shown: undefined, sort: undefined } } },
)
const provided = await openOffice(undefined, {
  isNamed: true,
  settings: async () => ({
    signIn: { oidc: { name: 'Example', roles: { viewer: true } } },
    // Nobody is sent there.
    env: {
      OIDC_ISSUER: 'https://id.example.org',
      OIDC_CLIENT_ID: 'tablewire',
      OIDC_CLIENT_SECRET: 'secret',
    },
  }),
})
const { accounts } = writing.admin
const [administrator] = await accounts.directory.list()
if (administrator) {
  const { directory } = accounts
  const mira = { name: 'Mira Lindqvist', email: 'mira@example.org', role: 'editor' }
  const { token } = await directory.invite(administrator, mira)
  const chosen = { ...mira, password: ADMINISTRATOR.password }
  const { actor } = await accounts.redeemLink(token, chosen, {
    ...{ address: '127.0.0.1', userAgent: '' },
  })
  const { secret, sealed } = accounts.secondFactors.draft(actor)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await accounts.secondFactors.finish(actor, { sealed, code }, '127.0.0.1')
  const jonas = { name: 'Jonas Whitfield', email: 'jonas@example.org', role: 'viewer' }
  await directory.invite(administrator, jonas)
}
await mkdir(FOLDER, { recursive: true })

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of WIDTHS) {
    const look = { colorScheme, width }
    await take(office, SCREENS, look)
    if (isWanted('sign-in')) await takeSignIn(office, look)
    if (isWanted('oidc')) await takeSignIn(provided, look, 'oidc')
    if (isWanted('second-step')) await takeSecondStep(writing, look)
    if (width === 768) continue
    await take(office, width === 1440 ? [...PARTS, ...PARTS_AT_1440] : PARTS, look, true)
    await take(writing, WRITING, look, true)
    await take(writing, WRITING_SCREENS, look)
    await take(pictured, PICTURES, look)
  }

await Promise.all([office, writing, pictured, provided].map((one) => one.close()))
await office.browser.close()
console.log(`Pictures are in ${FOLDER}.`)
