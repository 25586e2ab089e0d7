/** Filters as a person uses them: by pointer, touch and keyboard, and without script. */

import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../src/protocol/json.ts'
import { nightly } from '../nightly.ts'
import { violations } from './axe.ts'
import { collectComplaints, type Office, standardOffice, settled } from './office.ts'
import { followRequests, holdScript, hydrated, followRest } from './page-probe.ts'
import { columnOn } from './shown-rows.ts'

let office: Office
let context: BrowserContext
let page: Page
let complaints: string[]
/** The updates that were sent, in order. */
let sent: { [path: string]: Json }[]

beforeAll(async () => void (office = await standardOffice()))
afterAll(() => office.close())
afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

async function open(path: string, options?: BrowserContextOptions) {
  context = await office.signedIn({ viewport: { width: 1440, height: 900 }, ...options })
  page = await context.newPage()
  complaints = collectComplaints(page)
  sent = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/tablewire/update')) return
    const body = JSON.parse(request.postData() ?? '{}') as {
      components: { updates: { [path: string]: Json } }[]
    }
    for (const { updates } of body.components)
      if (Object.keys(updates).length > 0) sent.push(updates)
  })
  await page.goto(office.origin + path)
  // Without script, all is there once the page has loaded.
  if (options?.javaScriptEnabled !== false) await settled(page)
}

const panel = () => page.getByRole('region', { name: 'Filters', exact: true })
const button = () => page.getByRole('button', { name: /^Filters/ })
const filter = (name: string) => panel().getByRole('group', { name, exact: true })
const activeFilter = (name: string | RegExp) =>
  page.getByRole('region', { name: 'Active filters' }).getByRole('button', { name })
const chip = (name: string | RegExp) => activeFilter(/^Remove filter: /).and(activeFilter(name))
/** What was sent about filters. */
const values = () =>
  sent.flatMap((updates) =>
    Object.entries(updates).filter(([path]) => path.startsWith('filterComponents.')),
  )
const column = (name: string) => columnOn(page, name)
const total = () => page.locator('.head .total').textContent()
/** What is around the parts is looked at elsewhere, and takes far longer. */
const accessible = async (within = PARTS) => expect(await violations(page, { within })).toEqual([])

/** Presses and lets go at the same point, as a hand does: without waiting for the layout. */
async function press(target: Locator) {
  // Waits until it stands still, and moves to its middle.
  await target.hover()
  await page.mouse.down()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
  await page.mouse.up()
}

const PARTS = '.bar, .collapsible, .chips, .calpop, .filtermenu, dialog'

describe('the panel', () => {
  test('opens by the button and by the key, follows the state, and stands before the table', async () => {
    await open('/tables/strikes')
    await expect.poll(() => button().getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => panel().count()).toBe(0)
    await button().click()
    await filter('Speed').waitFor()
    await expect.poll(() => button().getAttribute('aria-expanded')).toBe('true')
    await expect.poll(() => sent).toEqual([{ filterSlideDownDefaultVisible: true }])
    const duration = await panel().evaluate(
      (element) => getComputedStyle(element.closest('.collapsible')!).transitionDuration,
    )
    expect(duration.split(', ')).toContain('0.25s')
    const isBefore = await panel().evaluate((element) =>
      Boolean(
        element.compareDocumentPosition(document.querySelector('table.tw')!) &
        Node.DOCUMENT_POSITION_FOLLOWING,
      ),
    )
    expect(isBefore).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await button().click()
    await panel().waitFor({ state: 'hidden' })
    await page.locator('h1').click()
    await page.keyboard.press('f')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('fieldset') !== null))
      .toBe(true)
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
    await expect
      .poll(() => button().evaluate((element) => element === document.activeElement))
      .toBe(true)
  })

  nightly.detail('the key is among those of the page, even if its script comes later', async () => {
    await open('/tables/strikes')
    const load = await holdScript(page, 'list-work')
    await page.reload()
    await hydrated(page)
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.getByText('Sign out').or(keys.getByText('Theme')).first().waitFor()
    load()
    await keys.getByText('Filters', { exact: true }).waitFor()
  })
})

describe('a number range', () => {
  test('is sent once, when the field is left or Enter is pressed, and never twice, and conditions in groups as a whole', async () => {
    await open('/tables/strikes')
    await button().click()
    const [min, max] = [
      filter('Speed').getByLabel('Minimum', { exact: true }),
      filter('Speed').getByLabel('Maximum', { exact: true }),
    ]
    await min.fill('300')
    expect(values()).toEqual([])
    await min.press('Enter')
    await expect.poll(values).toEqual([['filterComponents.speed_kt', { min: 300, max: null }]])
    await chip('Remove filter: Speed ≥ 300').waitFor()
    await min.press('Enter')
    await min.blur()
    await max.fill('200')
    await max.blur()
    // Max is below min, so the two are swapped.
    await expect
      .poll(() => values().slice(1))
      .toEqual([['filterComponents.speed_kt', { min: 200, max: 300 }]])
    await chip('Remove filter: Speed 200 – 300').waitFor()
    await expect
      .poll(async () => [await min.inputValue(), await max.inputValue()])
      .toEqual(['200', '300'])
    await expect
      .poll(async () => (await column('Speed')).map(Number))
      .toSatisfy(
        (speeds: number[]) => speeds.length > 0 && speeds.every((it) => it >= 200 && it <= 300),
      )
    await expect.poll(() => page.url()).toContain('filter.speed_kt.min=200')
    await max.press('ArrowUp')
    await expect
      .poll(() => values().at(-1))
      .toEqual(['filterComponents.speed_kt', { min: 200, max: 301 }])
    expect(values()).toHaveLength(3)

    await panel().getByRole('button', { name: 'Add a group' }).click()
    const dialog = page.getByRole('dialog', { name: 'Conditions' })
    await dialog.getByRole('combobox', { name: 'Filter', exact: true }).selectOption('Speed')
    await dialog.getByLabel('Minimum', { exact: true }).fill('300')
    await dialog.getByRole('button', { name: 'Add a condition' }).click()
    await dialog.getByRole('combobox', { name: 'Filter', exact: true }).last().selectOption('Phase')
    await dialog.getByRole('checkbox', { name: /^Taxi/ }).check()
    await accessible()
    expect(values()).toHaveLength(3)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect
      .poll(() => values().at(-1))
      .toEqual([
        'filterComponents.builder',
        {
          join: 'or',
          of: [
            { filter: 'speed_kt', value: { min: 300, max: null } },
            { filter: 'phase', value: { in: ['Taxi'] } },
          ],
        },
      ])
    await chip(/^Remove filter: Conditions/).click()
    await chip(/Conditions/).waitFor({ state: 'hidden' })
  })

  nightly.detail(
    'says what it expects of a number that cannot be read, once the field is left',
    async () => {
      const rests = followRest(page)
      await open('/tables/strikes')
      await button().click()
      const min = filter('Speed').getByLabel('Minimum', { exact: true })
      const note = filter('Speed').getByRole('status')
      // Ranges and counts, which come later, would move what is pressed.
      await rests()
      await min.fill('12,50')
      await expect.poll(() => note.textContent()).toBe('')
      // The sentence comes after the click, so that nothing moves under the pointer.
      await press(filter('Phase').getByRole('checkbox', { name: /^Climb/ }))
      await chip(/Phase Climb/).waitFor()
      await note.getByText('Write a number such as 1,234.5.').waitFor()
      await accessible()
      expect(values().map(([path]) => path)).toEqual(['filterComponents.phase'])
      await min.fill('1,000')
      await expect.poll(() => note.textContent()).toBe('')
    },
  )

  nightly.detail('the slider sends when it is let go, not while it is dragged', async () => {
    await open('/tables/strikes')
    await button().click()
    const thumb = filter('Speed').getByRole('slider', { name: 'Speed, minimum' })
    await expect.poll(() => thumb.isEnabled()).toBe(true)
    const box = (await filter('Speed').locator('.range').boundingBox())!
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + 6, y)
    await page.mouse.down()
    for (const share of [0.1, 0.3, 0.5]) await page.mouse.move(box.x + box.width * share, y)
    await expect
      .poll(() => filter('Speed').getByLabel('Minimum', { exact: true }).inputValue())
      .not.toBe('')
    expect(values()).toEqual([])
    await page.mouse.up()
    await expect.poll(() => values().length).toBe(1)
    expect(values()[0]?.[1]).toMatchObject({ min: expect.any(Number), max: null })
    await thumb.focus()
    await page.keyboard.down('ArrowRight')
    await page.keyboard.down('ArrowRight')
    await page.keyboard.down('ArrowRight')
    expect(values()).toHaveLength(1)
    await page.keyboard.up('ArrowRight')
    await expect.poll(() => values().length).toBe(2)
    await thumb.blur()
    await page.getByRole('searchbox', { name: 'Search' }).focus()
    expect(values()).toHaveLength(2)
  })
})

describe('a date range', () => {
  nightly.detail('is sent when two dates are chosen, by typing', async () => {
    await open('/tables/strikes')
    await button().click()
    const [from, to] = [
      filter('Incident date').getByLabel('From'),
      filter('Incident date').getByLabel('To'),
    ]
    await from.fill('2001-03-05')
    await from.press('Enter')
    await from.blur()
    expect(values()).toEqual([])
    await to.fill('2001-3-5')
    await to.press('Enter')
    await expect
      .poll(values)
      .toEqual([
        ['filterComponents.incident_date', { minDate: '2001-03-05', maxDate: '2001-03-05' }],
      ])
    await chip('Remove filter: Incident date Mar 5, 2001').waitFor()
    await expect.poll(() => to.inputValue()).toBe('2001-03-05')
    await expect
      .poll(async () => new Set(await column('Incident date')))
      .toEqual(new Set(['Mar 5, 2001']))
  })

  nightly.detail(
    'says so on Enter, and that a filter stays whose second date is taken away',
    async () => {
      await open('/tables/strikes')
      await button().click()
      const dates = filter('Incident date')
      const note = dates.getByRole('status')
      await dates.getByLabel('From').fill('2001-03-05')
      await dates.getByLabel('From').press('Enter')
      await note.getByText('Add the second date to filter.').waitFor()
      await dates.getByLabel('To').fill('2001-03-06')
      await dates.getByLabel('To').press('Enter')
      await chip('Remove filter: Incident date Mar 5, 2001 – Mar 6, 2001').waitFor()
      await expect.poll(() => note.textContent()).toBe('')
      await dates.getByLabel('To').fill('')
      await dates.getByLabel('To').press('Enter')
      await note.getByText('Add the second date. Until then the filter stays as it was.').waitFor()
      await chip('Remove filter: Incident date Mar 5, 2001 – Mar 6, 2001').waitFor()
    },
  )

  nightly.detail('says so when the second date is lacking, or one cannot be read', async () => {
    await open('/tables/strikes')
    await button().click()
    const dates = filter('Incident date')
    const note = dates.getByRole('status')
    await dates.getByLabel('From').fill('2001-03-05')
    await dates.getByLabel('To').focus()
    await expect.poll(() => note.textContent()).toBe('')
    await filter('Speed').getByLabel('Minimum', { exact: true }).focus()
    await note.getByText('Add the second date to filter.').waitFor()
    await accessible()
    await dates.getByLabel('To').fill('31.02.2026')
    await dates.getByLabel('To').blur()
    await note.getByText('“31.02.2026” is not a date. Write dates such as 2026-01-31.').waitFor()
    expect(values()).toEqual([])
    await dates.getByLabel('To').fill('2001-03-06')
    await expect.poll(() => note.textContent()).toBe('')
    await dates.getByLabel('To').press('Enter')
    await chip(/Incident date/).click()
    await dates.getByRole('button', { name: 'Open calendar' }).click()
    const calendar = page.getByRole('dialog', { name: 'Incident date' })
    await calendar.getByRole('grid').first().getByRole('button', { name: / 10, / }).click()
    await page.keyboard.press('Escape')
    await note.getByText('Add the second date to filter.').waitFor()
    await dates.getByLabel('From').fill('')
    await expect.poll(() => note.textContent()).toBe('')
  })

  nightly.detail(
    'in the calendar each month follows its field, and two clicks are sent without Apply',
    async () => {
      await open(
        '/tables/strikes?filter.incident_date.minDate=1998-06-08&filter.incident_date.maxDate=2002-07-25',
      )
      await button().click()
      await filter('Incident date').getByRole('button', { name: 'Open calendar' }).click()
      const calendar = page.getByRole('dialog', { name: 'Incident date' })
      const june = calendar.getByRole('grid', { name: 'June 1998' })
      await june.waitFor()
      await calendar.getByRole('grid', { name: 'July 2002' }).waitFor()
      await calendar.getByText('1,509 days').waitFor()
      await expect.poll(() => june.locator('th').first().getAttribute('abbr')).toBe('Sunday')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
        .toBe('Monday, June 8, 1998')
      await accessible()
      await june.getByRole('button', { name: 'Wednesday, June 10, 1998' }).click()
      expect(values()).toEqual([])
      await calendar.getByRole('button', { name: 'Saturday, July 20, 2002' }).click()
      await expect
        .poll(values)
        .toEqual([
          ['filterComponents.incident_date', { minDate: '1998-06-10', maxDate: '2002-07-20' }],
        ])
      await calendar.waitFor({ state: 'hidden' })
      const opener = filter('Incident date').getByRole('button', { name: 'Open calendar' })
      await expect
        .poll(() => opener.evaluate((element) => element === document.activeElement))
        .toBe(true)
    },
  )

  nightly.detail('by keyboard alone, and by a preset that stays relative', async () => {
    await open('/tables/strikes')
    await button().click()
    await filter('Incident date').getByLabel('From').fill('2001-03-05')
    await filter('Incident date').getByLabel('From').press('Alt+ArrowDown')
    const calendar = page.getByRole('dialog', { name: 'Incident date' })
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel)
    await expect.poll(focused).toBe('Monday, March 5, 2001')
    for (const [key, day] of [
      ['ArrowRight', 'Tuesday, March 6, 2001'],
      ['ArrowDown', 'Tuesday, March 13, 2001'],
      ['Home', 'Sunday, March 11, 2001'],
      ['PageDown', 'Wednesday, April 11, 2001'],
      ['Shift+PageUp', 'Tuesday, April 11, 2000'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(focused).toBe(day)
    }
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect
      .poll(values)
      .toEqual([
        ['filterComponents.incident_date', { minDate: '2000-04-11', maxDate: '2000-04-11' }],
      ])
    await filter('Incident date').getByRole('button', { name: 'Open calendar' }).click()
    await calendar.getByRole('button', { name: 'Last 30 days' }).click()
    await expect
      .poll(() => values().at(-1))
      .toEqual(['filterComponents.incident_date', { preset: 'last30days' }])
    await expect.poll(() => page.url()).toContain('filter.incident_date.preset=last30days')
    await filter('Incident date').getByRole('button', { name: 'Open calendar' }).click()
    await calendar.waitFor()
    await page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'hidden' })
    await panel().waitFor()
  })
})

describe('other filters', () => {
  nightly.detail('choices have counts of the rows that the other filters leave', async () => {
    await open('/tables/strikes')
    await button().click()
    const climb = filter('Phase').getByRole('checkbox', { name: /^Climb/ })
    const count = async () =>
      filter('Phase').locator('label', { hasText: 'Climb' }).locator('.n').textContent()
    await expect.poll(count).toMatch(/^[\d,]+$/)
    const before = await count()
    await filter('Speed').getByLabel('Minimum', { exact: true }).fill('200')
    await filter('Speed').getByLabel('Minimum', { exact: true }).press('Enter')
    await expect.poll(count).not.toBe(before)
    const counted = await count()
    await climb.check()
    await filter('Phase').getByRole('checkbox', { name: /^Taxi/ }).check()
    await filter('Phase').getByRole('checkbox', { name: /^Taxi/ }).uncheck()
    await expect.poll(() => chip(/^Remove filter: Phase Climb/).count()).toBe(1)
    await expect.poll(total).toBe(counted)
    await expect.poll(async () => new Set(await column('Phase'))).toEqual(new Set(['Climb']))
  })

  nightly.detail('texts, their negations and emptiness', async () => {
    await open('/tables/strikes')
    await button().click()
    const name = filter('Airport name')
    await name.getByRole('searchbox').fill('denver')
    await name.getByRole('searchbox').press('Enter')
    await expect
      .poll(values)
      .toEqual([['filterComponents.airport_name', { test: 'contains', text: 'denver' }]])
    await chip('Remove filter: Airport name contains “denver”').waitFor()
    await name.getByRole('combobox', { name: 'Test of Airport name' }).selectOption('is not')
    await expect
      .poll(() => values().at(-1))
      .toEqual(['filterComponents.airport_name', { test: 'equals', text: 'denver', not: true }])
    await filter('Speed').getByRole('combobox', { name: 'Test of Speed' }).selectOption('is empty')
    await expect.poll(() => values().at(-1)).toEqual(['filterComponents.speed_kt', { empty: true }])
    await expect.poll(async () => new Set(await column('Speed'))).toEqual(new Set(['– no value']))
    await name.getByRole('combobox').selectOption('any of')
    await name.getByRole('textbox').fill('Denver Intl\nMemphis Intl')
    await name.getByRole('textbox').blur()
    await expect
      .poll(() => values().at(-1))
      .toEqual(['filterComponents.airport_name', { in: ['Denver Intl', 'Memphis Intl'] }])
  })

  nightly.detail(
    'the focus goes on when a chip is removed by key: to the next, and at the end to “Filters”',
    async () => {
      await open(
        '/tables/strikes?filter.speed_kt.min=100&filter.phase.in=Climb&filter.status.in=new',
      )
      const focused = () =>
        page.evaluate(
          () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent,
        )
      const removing = page.locator('.chips').getByRole('button', { name: /^Remove filter/ })
      await expect.poll(() => removing.count()).toBe(3)
      const names = await removing.evaluateAll((all) => all.map((one) => one.ariaLabel))
      await removing.first().press('Enter')
      for (const next of [names[1], names[2], 'Filters']) {
        await expect.poll(focused).toBe(next)
        if (next !== 'Filters') await page.keyboard.press('Enter')
      }
    },
  )

  nightly.detail('the chip of an empty text says so', async () => {
    await open('/tables/strikes?filter.airport_name.notIn=%25')
    await chip('Remove filter: Airport name not empty text').waitFor()
  })

  nightly.detail(
    'a slider whose ends cannot be read is missing, which is said, and the fields work',
    async () => {
      await open('/tables/strikes')
      await page.route('**/tablewire/update', async (route) => {
        const isAsked = /"method":"bounds","params":\["speed_kt"\]/
        if (!isAsked.test(route.request().postData() ?? '')) return route.continue()
        await route.fulfill({
          status: 504,
          json: { error: { code: 'QUERY_TIMEOUT', message: 'It took too long.' } },
        })
      })
      await button().click()
      const speed = filter('Speed')
      await speed.getByText('No slider: the least and greatest value could not be read.').waitFor()
      await expect.poll(() => speed.getByRole('slider').count()).toBe(0)
      await accessible()
      const min = speed.getByLabel('Minimum', { exact: true })
      await min.fill('200')
      await min.press('Enter')
      await chip('Remove filter: Speed ≥ 200').waitFor()
      // The browser's own report of the answer.
      expect(complaints.splice(0)).toHaveLength(1)
    },
  )

  nightly.detail(
    'every one of the related rows is a choice, which says what it lacks',
    async () => {
      await open('/tables/species?filters=open')
      const strikes = filter('Strikes')
      await strikes.getByText('Some', { exact: true }).click()
      await chip(/^Remove filter: Strikes/).waitFor()
      await strikes.getByText('Every', { exact: true }).click()
      await strikes.getByText('Add the conditions that every one of Strikes must fulfil.').waitFor()
      // Every one fulfils nothing in particular, so nothing is filtered until something is asked.
      await chip(/Strikes/).waitFor({ state: 'hidden' })
      await expect.poll(() => strikes.getByRole('radio', { name: 'Every' }).isChecked()).toBe(true)
      await accessible()
      await strikes.getByRole('button', { name: 'Add conditions' }).click()
      const dialog = page.getByRole('dialog', { name: 'Conditions on Strikes' })
      await dialog.getByRole('combobox', { name: 'Filter', exact: true }).selectOption('Speed')
      await dialog.getByLabel('Minimum', { exact: true }).fill('90')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await expect
        .poll(() => values().at(-1)?.[1])
        .toMatchObject({ rows: 'every', where: { of: [{ filter: 'speed_kt' }] } })
      await strikes.getByRole('button', { name: 'Change conditions' }).waitFor()
      await expect.poll(() => strikes.getByText('must fulfil').count()).toBe(0)
    },
  )

  nightly.detail('“Add conditions” stands apart from the answers above it', async () => {
    await open('/tables/species?filters=open')
    const adds = panel().getByRole('button', { name: 'Add conditions' }).first()
    await adds.waitFor()
    const gap = await adds.evaluate((element) => {
      const answers = element.parentElement!.querySelector('[role="radiogroup"]')!
      return element.getBoundingClientRect().top - answers.getBoundingClientRect().bottom
    })
    expect(gap).toBeGreaterThanOrEqual(4)
  })

  nightly.detail(
    'a filter that is set is edited in the panel, and conditions in their dialog',
    async () => {
      const builder = { join: 'or', of: [{ filter: 'phase', value: { in: ['Taxi'] } }] }
      const query = `filter.speed_kt.min=100&filter.builder=${JSON.stringify(builder)}`
      await open(`/tables/strikes?${query}`)
      await activeFilter(/^Edit filter: Conditions/).click()
      const dialog = page.getByRole('dialog', { name: 'Conditions' })
      await dialog.getByRole('checkbox', { name: /^Taxi/ }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await activeFilter('Edit filter: Speed ≥ 100').click()
      const minimum = filter('Speed').getByLabel('Minimum', { exact: true })
      await expect.poll(() => minimum.evaluate((it) => it === document.activeElement)).toBe(true)
      expect(values()).toEqual([])
      await accessible()
      await chip('Remove filter: Speed ≥ 100').click()
      await activeFilter(/Speed/).first().waitFor({ state: 'hidden' })
      await expect.poll(() => chip(/^Remove filter: Conditions/).count()).toBe(1)
    },
  )

  nightly.detail('the buttons of a group in a group say of which one they are', async () => {
    await open('/tables/strikes')
    await button().click()
    await panel().getByRole('button', { name: 'Add a group' }).click()
    const dialog = page.getByRole('dialog', { name: 'Conditions' })
    const adds = (name: string) => dialog.getByRole('button', { name, exact: true })
    await adds('Add a group').click()
    await adds('Add a group').click()
    await adds('Add a group, Group 2').click()
    const inner = dialog.getByRole('group', { name: 'Group 2.1 Rows fulfil' })
    await inner.getByRole('button', { name: 'Remove ID, Group 2.1' }).first().waitFor()
    await adds('Remove the group, Group 1').click()
    await adds('Add a condition, Group 1.1').click()
    const names = await dialog
      .getByRole('button', { name: / the group|Add a group/ })
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent))
    expect(names).toEqual([
      'Remove the group, Group 1.1',
      'Add a group, Group 1',
      'Remove the group, Group 1',
      'Add a group',
    ])
    await accessible()
  })

  nightly.detail(
    'a group begins as “any of these”, and one within another as the opposite of that',
    async () => {
      await open('/tables/strikes')
      await button().click()
      await panel().getByRole('button', { name: 'Add a group' }).click()
      const dialog = page.getByRole('dialog', { name: 'Conditions' })
      const joins = () =>
        dialog
          .getByRole('combobox', { name: /Rows fulfil$/ })
          .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value))
      const add = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
      await add('Add a group')
      await add('Add a group, Group 1')
      await expect.poll(() => joins()).toEqual(['or', 'and', 'or'])
      await dialog.getByRole('combobox', { name: 'Rows fulfil', exact: true }).selectOption('and')
      await add('Add a group')
      await expect.poll(() => joins()).toEqual(['and', 'and', 'or', 'or'])
    },
  )

  nightly.detail('two open conditions on one column both show counts', async () => {
    const builder = {
      join: 'or',
      of: ['Taxi', 'Climb'].map((phase) => ({ filter: 'phase', value: { in: [phase] } })),
    }
    await open(`/tables/strikes?filter.builder=${encodeURIComponent(JSON.stringify(builder))}`)
    await button().click()
    await panel().getByRole('button', { name: 'Change the group' }).click()
    const dialog = page.getByRole('dialog', { name: 'Conditions' })
    const counted = dialog.getByRole('checkbox', { name: /^Taxi [\d,]+$/ })
    await expect.poll(() => counted.count()).toBe(2)
  })
})

describe('the rows that a search finds', () => {
  const heightOf = (field: Locator) =>
    field.evaluate((element) => element.closest('.tokens')!.getBoundingClientRect().height)

  nightly.detail(
    'float over the panel, close after a pick, and are not offered twice',
    async () => {
      await open('/tables/strikes')
      await button().click()
      const species = filter('Species')
      const field = species.getByRole('combobox', { name: 'Add Species' })
      const before = await heightOf(field)
      await field.fill('canada goose')
      await species.getByRole('option', { name: 'Canada goose' }).waitFor()
      await expect.poll(() => heightOf(field)).toBe(before)
      await field.press('Enter')
      await chip('Remove filter: Species Canada goose').waitFor()
      await species.getByRole('listbox').waitFor({ state: 'hidden' })
      await field.fill('canada goose')
      await species.getByText('What was found is chosen already.').waitFor()
      await expect.poll(() => species.getByRole('option', { name: 'Canada goose' }).count()).toBe(0)
      await press(filter('Phase').getByRole('checkbox', { name: /^Climb/ }))
      await chip(/Phase Climb/).waitFor()
    },
  )

  test('are those of the text that stands there: Enter waits for them, and what was chosen is named after a reload', async () => {
    await open('/tables/strikes')
    await button().click()
    const species = filter('Species')
    const field = species.getByRole('combobox', { name: 'Add Species' })
    await field.click()
    const options = species.getByRole('listbox').getByRole('option')
    await options.first().waitFor()
    // There are more than the list has room for.
    const scrolls = ({ scrollHeight, clientHeight }: Element) => scrollHeight > clientHeight
    await expect.poll(() => species.getByRole('listbox').evaluate(scrolls)).toBe(true)
    await accessible()
    // The one that Enter would take is always seen.
    const taken = species.getByRole('listbox').getByRole('option', { selected: true })
    await field.press('ArrowUp')
    await expect.poll(() => taken.textContent()).toBe(await options.last().textContent())
    const box = (await taken.boundingBox())!
    const room = (await species.getByRole('listbox').boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(room.y + room.height + 1)
    await field.press('ArrowDown')
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/tablewire/update', async (route) => {
      if ((route.request().postData() ?? '').includes('canada goose')) await held
      await route.continue()
    })
    const asked = page.waitForRequest((one) => (one.postData() ?? '').includes('canada goose'))
    await field.fill('canada goose')
    await field.press('Enter')
    await asked
    // Those that were found before still show.
    await expect.poll(() => options.count()).toBeGreaterThan(1)
    await expect.poll(() => species.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
    answer()
    await chip('Remove filter: Species Canada goose').waitFor()
    expect(values()).toHaveLength(1)
    await expect
      .poll(async () => new Set(await column('Species')))
      .toEqual(new Set(['Canada goose']))
    await page.reload()
    await hydrated(page)
    await button().click()
    await species.getByRole('button', { name: 'Remove Canada goose' }).click()
    await chip(/Species/).waitFor({ state: 'hidden' })
    expect(values().at(-1)?.[1]).toEqual({})
  })

  nightly.detail(
    'leave “Apply” where it is, so that a click on it applies the conditions',
    async () => {
      await open('/tables/strikes')
      await button().click()
      await panel().getByRole('button', { name: 'Add a group' }).click()
      const dialog = page.getByRole('dialog', { name: 'Conditions' })
      await dialog.getByRole('combobox', { name: 'Filter', exact: true }).selectOption('Species')
      const field = dialog.getByRole('combobox', { name: 'Add Species' })
      await field.fill('canada goose')
      await dialog.getByRole('option', { name: 'Canada goose' }).waitFor()
      await accessible()
      await field.press('Enter')
      await dialog.getByRole('button', { name: 'Remove Canada goose' }).waitFor()
      await field.fill('gull')
      await dialog.getByRole('option', { name: /gull/ }).first().waitFor()
      await press(dialog.getByRole('button', { name: 'Apply' }))
      await chip('Remove filter: Conditions Species Canada goose').waitFor()
    },
  )
})

nightly.detail('a click that begins in a dialog and ends outside does not close it', async () => {
  await open('/tables/strikes')
  await button().click()
  await panel().getByRole('button', { name: 'Add a group' }).click()
  const dialog = page.getByRole('dialog', { name: 'Conditions' })
  const title = dialog.getByRole('heading', { name: 'Conditions' })
  await title.hover()
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect.poll(() => title.isVisible()).toBe(true)
  await page.mouse.click(5, 5)
  await title.waitFor({ state: 'hidden' })
})

describe('heads and cells', () => {
  nightly.detail('offer the filter of their column', async () => {
    await open('/tables/strikes')
    // Until the script of menus and tooltips has come, a cell has the browser's own menu.
    await page.locator('#tip').waitFor({ state: 'attached' })
    const cell = page.locator('tbody tr').first().locator('td.k-status')
    const status = await cell.textContent()
    await cell.click({ button: 'right' })
    const menu = page.getByRole('menu', { name: 'Filter by Status' })
    await menu.waitFor()
    await accessible()
    await menu.getByRole('menuitem', { name: 'Only these' }).click()
    await chip(`Remove filter: Status ${status}`).click()
    await chip(/Status/).waitFor({ state: 'hidden' })
    await cell.click({ button: 'right' })
    await menu.getByRole('menuitem', { name: 'All but these' }).click()
    await chip(`Remove filter: Status not ${status}`).waitFor()
    await page.getByRole('columnheader', { name: 'Speed' }).click({ button: 'right' })
    const dialog = page.getByRole('dialog', { name: 'Filter by Speed' })
    await dialog.getByLabel('Minimum', { exact: true }).fill('250')
    await page.keyboard.press('Enter')
    await chip('Remove filter: Speed ≥ 250').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  nightly.detail('a cell of a row that has gone says so, and filters nothing', async () => {
    await open('/tables/strikes')
    const row = page.locator('tbody tr').first()
    await row.evaluate((one) => one.setAttribute('data-row-key', '999999999'))
    await row.locator('td.k-status').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Only these' }).click()
    await page.getByText('This row has gone').waitFor()
    await expect.poll(() => chip(/Status/).count()).toBe(0)
  })

  nightly.detail(
    'a head shows the button of its menu under the pointer, where nothing moves',
    async () => {
      await open('/tables/strikes')
      const head = page.getByRole('columnheader', { name: 'Speed' })
      const opens = page.getByRole('link', { name: 'Filter by Speed' })
      const before = [await head.boundingBox(), await head.locator('.name').boundingBox()]
      await page.locator('h1').hover()
      await expect.poll(() => opens.count()).toBe(0)
      await head.hover()
      await opens.waitFor()
      await expect
        .poll(async () => [await head.boundingBox(), await head.locator('.name').boundingBox()])
        .toEqual(before)
      const { width, height } = (await opens.boundingBox())!
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
      await accessible('thead')
      await opens.click()
      const dialog = page.getByRole('dialog', { name: 'Filter by Speed' })
      await dialog.waitFor()
      await expect.poll(() => opens.getAttribute('aria-expanded')).toBe('true')
      await opens.click()
      await dialog.waitFor({ state: 'hidden' })
      await page.locator('tbody td').first().hover()
      await opens.waitFor({ state: 'hidden' })
    },
  )

  nightly.detail(
    'a head shows it on focus as well, and has the focus back when the menu closes',
    async () => {
      await open('/tables/strikes')
      const opens = page.getByRole('link', { name: 'Filter by Speed' })
      await page.getByRole('columnheader', { name: 'Speed' }).getByRole('button').focus()
      await opens.waitFor()
      await page.keyboard.press('Tab')
      const isFocused = () => opens.evaluate((element) => element === document.activeElement)
      await expect.poll(() => isFocused()).toBe(true)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Filter by Speed' })
      await dialog.getByLabel('Minimum', { exact: true }).fill('250')
      await page.keyboard.press('Enter')
      await chip('Remove filter: Speed ≥ 250').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => isFocused()).toBe(true)
      // The edge of the head comes next, and then another head.
      await page.keyboard.press('Tab')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
        .toBe('separator')
      await page.keyboard.press('Tab')
      await opens.waitFor({ state: 'hidden' })
    },
  )

  nightly.layout('it is 44 px large for a finger', async () => {
    await open('/tables/strikes', {
      viewport: { width: 1024, height: 768 },
      hasTouch: true,
      isMobile: true,
    })
    await page.getByRole('columnheader', { name: 'Speed' }).getByRole('button').tap()
    await page.getByRole('link', { name: 'Filter by Speed' }).waitFor()
    await accessible('thead')
    await page.getByRole('columnheader', { name: 'Species' }).click({ position: { x: 4, y: 20 } })
    const opens = page.getByRole('link', { name: 'Filter by Species' })
    await opens.waitFor()
    const { width, height } = (await opens.boundingBox())!
    expect(Math.round(Math.min(width, height))).toBeGreaterThanOrEqual(44)
    await accessible('thead')
    await opens.tap()
    await page.getByRole('dialog', { name: 'Filter by Species' }).waitFor()
  })

  nightly.detail('by keyboard', async () => {
    await open('/tables/strikes')
    await page.keyboard.press('j')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('.')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await chip(/not/).waitFor()
  })
})

describe('the address', () => {
  test('back and forward restore the panel and its values; answers leave unsent typing alone', async () => {
    await open('/tables/strikes')
    const idle = followRequests(page)
    await button().click()
    const min = () => filter('Speed').getByLabel('Minimum', { exact: true })
    await min().fill('200')
    await min().press('Enter')
    await chip(/Speed/).waitFor()
    const height = filter('Height').getByLabel('Maximum', { exact: true })
    // Typed while an answer about another filter is on its way.
    let isTyped = false
    await page.route('**/tablewire/update', async (route, request) => {
      const isOfPhase = request.postData()?.includes('Climb') ?? false
      if (isOfPhase && !isTyped) await height.fill('50')
      isTyped ||= isOfPhase
      await route.fallback()
    })
    await filter('Phase')
      .getByRole('checkbox', { name: /^Climb/ })
      .check()
    await chip(/Phase/).waitFor()
    await expect.poll(() => height.inputValue()).toBe('50')
    await page.goBack()
    await chip(/Phase/).waitFor({ state: 'hidden' })
    await expect.poll(() => min().inputValue()).toBe('200')
    await page.goBack()
    await chip(/Speed/).waitFor({ state: 'hidden' })
    // Going back does not send what is typed, which would end the way forward.
    await idle()
    await expect
      .poll(async () => [await height.inputValue(), await chip(/Height/).count()])
      .toEqual(['50', 0])
    await page.goForward()
    await chip(/Speed/).waitFor()
    await filter('Speed').waitFor()
    await expect.poll(() => min().inputValue()).toBe('200')
  })
})

describe('without script', () => {
  nightly.detail('the panel is a form', async () => {
    await open('/tables/strikes', { javaScriptEnabled: false })
    await button().click()
    await page.waitForURL(/filters=open/)
    await filter('Speed').getByLabel('Minimum', { exact: true }).fill('300')
    await filter('Phase').getByRole('checkbox', { name: 'Climb' }).check()
    await filter('Incident date').getByLabel('From').fill('2000-01-01')
    await filter('Incident date').getByLabel('To').fill('2001-12-31')
    const name = filter('Airport name')
    await name.getByRole('searchbox').fill('intl')
    await name.getByRole('combobox').selectOption('does not start with')
    await filter('Cost total').getByRole('combobox').selectOption('is not empty')
    await panel().getByRole('button', { name: 'Apply' }).click()
    await chip('Remove filter: Speed ≥ 300').waitFor()
    await chip('Remove filter: Airport name does not start with “intl”').waitFor()
    await chip('Remove filter: Cost total not empty').waitFor()
    await chip('Remove filter: Phase Climb').waitFor()
    await button().click()
    await expect
      .poll(() => filter('Speed').getByLabel('Minimum', { exact: true }).inputValue())
      .toBe('300')
    await expect
      .poll(() => filter('Phase').getByRole('checkbox', { name: 'Climb' }).isChecked())
      .toBe(true)
    await chip(/^Remove filter: Phase/).click()
    await page.waitForURL((url) => !url.search.includes('phase'))
    await page.getByRole('button', { name: 'Clear all filters' }).first().click()
    await page.waitForURL(({ search }) => search === '')
    await expect.poll(() => page.getByRole('region', { name: 'Active filters' }).count()).toBe(0)
  })
})

describe('at 390 px, by touch', () => {
  nightly.layout(
    'the panel is a sheet, which has the focus until a tap beside it closes it',
    async () => {
      await open('/tables/strikes', {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      })
      const focused = page.locator(':focus')
      const cross = panel().getByRole('button', { name: 'Close filters' })
      await button().tap()
      await filter('Speed').waitFor()
      await cross.and(focused).waitFor()
      // What keeps the focus comes with the list's other work.
      const last = panel().getByRole('button', { name: 'Close', exact: true })
      await expect
        .poll(async () => {
          await cross.focus()
          await page.keyboard.press('Shift+Tab')
          return last.and(focused).count()
        })
        .toBe(1)
      await page.keyboard.press('Tab')
      await cross.and(focused).waitFor()
      await page.touchscreen.tap(195, 30)
      await panel().waitFor({ state: 'hidden' })
      await button().and(focused).waitFor()
      await button().tap()
      await filter('Speed').waitFor()
      await expect
        .poll(() =>
          panel().evaluate((element) => Math.round(element.getBoundingClientRect().bottom)),
        )
        .toBe(844)
      await filter('Incident date').getByRole('button', { name: 'Open calendar' }).tap()
      await page.getByRole('grid').first().waitFor()
      await accessible()
      await page.getByRole('button', { name: 'This year' }).tap()
      await expect
        .poll(values)
        .toEqual([['filterComponents.incident_date', { preset: 'thisYear' }]])
      await filter('Phase').getByText('Climb', { exact: true }).tap()
      await expect
        .poll(() => values().at(-1))
        .toEqual(['filterComponents.phase', { in: ['Climb'] }])
      await cross.tap()
      await panel().waitFor({ state: 'hidden' })
      await chip(/^Remove filter: Incident date this year/).tap()
      await chip(/Incident/).waitFor({ state: 'hidden' })
    },
  )
})

nightly.layout('open, with chips, nothing to complain about', async () => {
  await open('/tables/strikes?filters=open&filter.speed_kt.min=80&filter.status.in=new,review')
  await filter('Phase').getByRole('checkbox').first().waitFor()
  await accessible()
})

nightly.layout('from right to left', async () => {
  await open('/tables/strikes?filters=open')
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  const [label, operator] = await Promise.all([
    filter('Phase').getByText('Phase', { exact: true }).boundingBox(),
    filter('Phase').getByRole('combobox').boundingBox(),
  ])
  expect(operator!.x).toBeLessThan(label!.x)
})
