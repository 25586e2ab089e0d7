/** With JavaScript off, lists are read, sorted, searched, filtered and paged by plain links and forms. */

import { isDeepStrictEqual } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choice, yesNo } from '../../src/table/filters/declare.ts'
import { nightly } from '../nightly.ts'
import { ADMINISTRATOR, type Office, openOffice, settled } from './office.ts'
import { keysOn } from './shown-rows.ts'

/** Filters that the schema alone does not ask for. */
const definitions = {
  reporters: { filters: { active: yesNo({ column: 'active' }) } },
  strikes: { filters: { height_ft: yesNo({ column: 'height_ft' }) } },
  airports: { filters: { country: choice({ column: 'country' }) } },
}

let office: Office
let context: BrowserContext
let page: Page

beforeAll(async () => {
  office = await openOffice(undefined, { definitions })
  context = await office.signedOut({ javaScriptEnabled: false })
  page = await context.newPage()
})
afterAll(() => office.close())

test('sign in by password, and be led to the page that was asked for', async () => {
  await page.goto(`${office.origin}/tables/airports`)
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  await page.getByLabel('Email').fill(ADMINISTRATOR.email)
  await page.getByLabel('Password').fill('wrong password here')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The email or the password is not right.').waitFor()
  await page.getByLabel('Password').fill(ADMINISTRATOR.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${office.origin}/tables/airports`)
})

test('read, search, sort and page', async () => {
  await page.goto(`${office.origin}/tables/airports`)
  await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.waitForURL(/page=2/)
  await page.getByRole('link', { name: 'Last page' }).click()
  await page.waitForURL(/page=last/)
  await page.getByRole('searchbox', { name: 'Search' }).fill('Chicago')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=Chicago/)
  await expect.poll(() => page.getByText('Chicago').count()).toBeGreaterThan(2)
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await page.waitForURL(
    (url) =>
      url.searchParams.get('sort') === 'name' && url.searchParams.get('search') === 'Chicago',
  )
})

test('read a row, walk to the next one and back to the list, and follow what refers to it', async () => {
  await page.goto(`${office.origin}/tables/species?sort=-name`)
  const keys = await keysOn(page)
  await page.locator('tbody th a').first().click()
  for (const [name, at] of [
    ['Next', 1],
    ['Previous', 0],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/records/${keys[at]}`))
  }
  const list = page.getByRole('link', { name: 'Back to the list' })
  await expect.poll(() => list.getAttribute('href')).toBe('/tables/species?sort=-name')
  await page.goto(`${office.origin}/tables/species/records/38`)
  await page.getByRole('navigation', { name: 'Related rows' }).getByText('Strikes').click()
  await page.waitForURL(/filter\.species_id=38$/)
  await page.getByRole('button', { name: /^Remove filter: Species/ }).click()
  await page.waitForURL(
    ({ pathname, searchParams }) => pathname === '/tables/strikes' && searchParams.size === 0,
  )
})

describe('filters, as a form whose address is the same with script', () => {
  const filter = (name: string) => page.getByRole('group', { name, exact: true })
  const press = (name: string, within: Locator | Page = page) =>
    within.getByRole('button', { name, exact: true }).click()
  const reopen = () => page.getByRole('button', { name: /^Filters/ }).click()
  const apply = () => press('Apply', page.getByRole('region', { name: 'Filters', exact: true }))
  const open = (table: string, query = '') =>
    page.goto(`${office.origin}/tables/${table}?filters=open${query}`)

  /** What a list shows: its filters in words, and its first rows. */
  const shown = async (from: Page) => {
    const active = from.getByRole('region', { name: 'Active filters' })
    const chips = await active.getByRole('button', { name: /^Edit filter/ }).allInnerTexts()
    return { chips: chips.map((text) => text.replaceAll('\n', ' ')), keys: await keysOn(from) }
  }

  /** The page's address and chips; a browser with script shows the same at that address. */
  async function result(): Promise<{ search: string; chips: string[] }> {
    // A click waits until an answer begins; this waits until all of it has come.
    await page.waitForURL(({ searchParams }) => !searchParams.has('filters'))
    const search = decodeURIComponent(new URL(page.url()).search)
    const live = await office.signedIn()
    const other = await live.newPage()
    await other.goto(page.url())
    await settled(other)
    await expect
      .poll(async () => isDeepStrictEqual(await shown(page), await shown(other)))
      .toBe(true)
    expect(other.url()).toBe(page.url())
    const { chips } = await shown(page)
    await live.close()
    return { search, chips }
  }

  test('ranges of numbers and days, presets, texts and choices', async () => {
    await open('strikes')
    const speed = filter('Speed')
    await speed.getByLabel('Minimum', { exact: true }).fill('150')
    await speed.getByLabel('Maximum', { exact: true }).fill('1,200')
    const date = filter('Incident date')
    await date.getByLabel('From').fill('2000-01-01')
    await date.getByLabel('To').fill('2000-12-31')
    await filter('Airport name').getByRole('combobox').selectOption('does not start with')
    await filter('Airport name').getByRole('searchbox').fill('Chicago')
    await filter('Phase').getByRole('combobox').selectOption('none of')
    for (const phase of ['Climb', 'Approach'])
      await filter('Phase').getByRole('checkbox', { name: phase }).check()
    await filter('Cost total').getByRole('combobox').selectOption('is not empty')
    await apply()
    expect(await result()).toEqual({
      search:
        '?filter.airport_name.test=starts&filter.airport_name.text=Chicago&filter.airport_name.not=true' +
        '&filter.incident_date.minDate=2000-01-01&filter.incident_date.maxDate=2000-12-31' +
        '&filter.speed_kt.min=150&filter.speed_kt.max=1200&filter.cost_total_usd.empty=false' +
        '&filter.phase.notIn=Climb,Approach',
      chips: [
        'Airport name does not start with “Chicago”',
        'Incident date Jan 1, 2000 – Dec 31, 2000',
        'Speed 150 – 1,200',
        'Cost total not empty',
        'Phase not Climb, Approach',
      ],
    })
    await reopen()
    await expect.poll(() => speed.getByLabel('Maximum', { exact: true }).inputValue()).toBe('1,200')
    await expect.poll(() => filter('Phase').getByRole('combobox').inputValue()).toBe('notIn')
    await date.getByRole('combobox', { name: 'Presets' }).selectOption('Last year')
    await expect.poll(() => date.getByLabel('From').isVisible()).toBe(false)
    await filter('Cost total').getByRole('combobox').selectOption('between')
    await apply()
    await page.waitForURL(/preset=lastYear.*speed_kt\.max=1200&filter\.phase\.notIn=[^&]*$/)
  })

  nightly.detail('a filter that is set leads to the panel, with all that is set', async () => {
    await page.goto(`${office.origin}/tables/strikes?search=goose&filter.phase=Climb`)
    await page.getByRole('button', { name: 'Edit filter: Phase Climb' }).click()
    expect(new URL(page.url()).search).toBe('?search=goose&filter.phase=Climb&filters=open')
    await expect
      .poll(() => filter('Phase').getByRole('checkbox', { name: 'Climb' }).isChecked())
      .toBe(true)
  })

  nightly.detail('yes, no or not set', async () => {
    await open('reporters')
    await filter('Active').getByText('Yes', { exact: true }).click()
    await apply()
    expect(await result()).toEqual({ search: '?filter.active.is=yes', chips: ['Active Yes'] })
    await open('strikes')
    await filter('Height').getByText('Not set', { exact: true }).click()
    await apply()
    expect(await result()).toMatchObject({ search: '?filter.height_ft.is=unset' })
  })

  nightly.detail('choices that no page lists, found in the rows', async () => {
    await open('airports')
    const country = filter('Country')
    await press('Find Country', country)
    const found = await country.getByRole('checkbox').count()
    const [first = ''] = await country.locator('.opts label').allInnerTexts()
    await country.getByRole('searchbox').fill(first.toLowerCase())
    await press('Find Country', country)
    await expect.poll(() => country.getByRole('checkbox').count()).toBeLessThan(found)
    await country.getByRole('checkbox', { name: first, exact: true }).check()
    await apply()
    expect((await result()).chips).toEqual([`Country ${first}`])
    await reopen()
    await country.getByRole('checkbox', { name: first, exact: true }).uncheck()
    await apply()
    expect((await result()).search).toBe('')
  })

  nightly.detail('one of a pasted list', async () => {
    await open('airports')
    const code = filter('Code')
    await expect.poll(() => code.locator('textarea').isVisible()).toBe(false)
    await code.getByRole('combobox').selectOption('any of')
    await expect.poll(() => code.getByRole('searchbox').isVisible()).toBe(false)
    await code.locator('textarea').fill('JFK\nORD\n JFK \n')
    await apply()
    const { search, chips } = await result()
    expect([search, chips]).toEqual(['?filter.code.in=JFK,ORD', ['Code JFK, ORD']])
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    await reopen()
    await expect.poll(() => code.locator('textarea').inputValue()).toBe('JFK\nORD')
    await code.getByRole('combobox').selectOption('none of')
    await apply()
    expect((await result()).search).toBe('?filter.code.notIn=JFK,ORD')
    await reopen()
    await code.getByRole('combobox').selectOption('contains')
    await code.getByRole('searchbox').fill('JFK')
    await apply()
    expect((await result()).search).toBe('?filter.code.test=contains&filter.code.text=JFK')
  })

  nightly.detail('related rows that are looked for by name', async () => {
    await open('strikes')
    await filter('Speed').getByLabel('Minimum', { exact: true }).fill('100')
    const species = filter('Species')
    await species.getByRole('searchbox').fill('goose')
    // Enter looks for what was typed, and keeps what else was filled in.
    await page.keyboard.press('Enter')
    await species.getByRole('checkbox', { name: 'Canada goose' }).check()
    await expect
      .poll(() => filter('Speed').getByLabel('Minimum', { exact: true }).inputValue())
      .toBe('100')
    await species.getByRole('searchbox').fill('mallard')
    await press('Find Species', species)
    await expect
      .poll(() => species.getByRole('checkbox', { name: 'Canada goose' }).isChecked())
      .toBe(true)
    await species.getByRole('checkbox', { name: 'Mallard' }).check()
    await species.getByRole('searchbox').fill('no such bird')
    await press('Find Species', species)
    const field = species.getByRole('searchbox')
    const note = await field.getAttribute('aria-describedby')
    await expect.poll(() => page.locator(`[id="${note}"]`).innerText()).toBe('Nothing found.')
    await species.getByRole('checkbox', { name: 'Mallard' }).uncheck()
    await apply()
    const { search, chips } = await result()
    expect(search).toMatch(/^\?filter\.species_id=\d+&filter\.speed_kt\.min=100$/)
    expect(chips).toEqual(['Species Canada goose', 'Speed ≥ 100'])
    const rows = await page.locator('tbody tr').allInnerTexts()
    expect(rows.filter((text) => !text.includes('Canada goose'))).toEqual([])
    await reopen()
    await species.getByRole('combobox').selectOption('none of')
    await apply()
    expect((await result()).chips).toEqual(['Species not Canada goose', 'Speed ≥ 100'])
  })

  nightly.detail('the builder, with groups', async () => {
    await open('strikes', '&filter.status=new')
    const conditions = filter('Conditions')
    const choose = (group: Locator, name: string) =>
      group
        .getByRole('combobox', { name: /^Filter, / })
        .last()
        .selectOption(name)
    await choose(conditions, 'Speed')
    await press('Add a condition, Conditions')
    await conditions.getByLabel('Minimum', { exact: true }).fill('300')
    await conditions.getByRole('combobox', { name: 'Rows fulfil' }).selectOption('any of these')
    await press('Add a group, Conditions')
    await expect
      .poll(() => conditions.getByLabel('Minimum', { exact: true }).inputValue())
      .toBe('300')
    const group = filter('Group 1')
    await group.getByRole('combobox', { name: 'Rows fulfil' }).selectOption('all of these')
    await choose(group, 'Species')
    // A filter that was chosen gets its fields first, whatever is pressed.
    await apply()
    const species = group.getByRole('group', { name: 'Species' })
    await species.getByRole('searchbox').fill('goose')
    await press('Find Species', species)
    await species.getByRole('checkbox', { name: 'Canada goose' }).check()
    await choose(group, 'Phase')
    await press('Add a condition, Group 1')
    await group
      .getByRole('group', { name: 'Phase' })
      .getByRole('checkbox', { name: 'Climb' })
      .check()
    await apply()
    const { search, chips } = await result()
    expect(search).toMatch(
      /^\?filter\.status=new&filter\.builder=\{"join":"or","of":\[\{"filter":"speed_kt","value":\{"min":300\}\},\{"join":"and","of":\[\{"filter":"species_id","value":\{"in":\["\d+"\]\}\},\{"filter":"phase","value":\{"in":\["Climb"\]\}\}\]\}\]\}$/,
    )
    expect(chips).toEqual([
      'Status New',
      'Conditions Speed ≥ 300 or (Species Canada goose and Phase Climb)',
    ])
    await reopen()
    await expect
      .poll(() => species.getByRole('checkbox', { name: 'Canada goose' }).isChecked())
      .toBe(true)
    await press('Remove Species', group)
    await press('Remove Speed', conditions)
    await apply()
    expect((await result()).chips).toEqual(['Status New', 'Conditions (Phase Climb)'])
  })

  nightly.detail('a group deeper than script begins one is kept', async () => {
    const deep = JSON.stringify({
      join: 'and',
      of: [
        { filter: 'id', value: { min: 5 } },
        ...[{ join: 'or', of: [{ join: 'and', of: [{ join: 'or', of: [PHASE, SPEED] }] }] }],
      ],
    })
    await open('strikes', `&filter.builder=${encodeURIComponent(deep)}`)
    await filter('Number struck').getByLabel('Minimum', { exact: true }).fill('2')
    await apply()
    expect((await result()).search).toBe(`?filter.number_struck.min=2&filter.builder=${deep}`)
  })

  nightly.detail('some, none or every one of related rows, with conditions', async () => {
    await open('species')
    const strikes = filter('Strikes')
    await strikes.getByText('Every', { exact: true }).click()
    await press('Add conditions, Strikes')
    const where = filter('Conditions on Strikes')
    await expect.poll(() => strikes.getByRole('radio', { name: 'Every' }).isChecked()).toBe(true)
    await where.getByRole('combobox', { name: /^Filter, / }).selectOption('Airport')
    await press('Add a condition, Conditions on Strikes')
    const airport = where.getByRole('group', { name: 'Airport' })
    await airport.getByRole('searchbox').fill('denver')
    await press('Find Airport', airport)
    await airport.getByRole('combobox').selectOption('none of')
    await airport
      .getByRole('checkbox', { name: /^Denver/ })
      .first()
      .check()
    await apply()
    const { search, chips } = await result()
    expect(search).toMatch(
      /^\?filter\.~strikes~species_id\.rows=every&filter\.~strikes~species_id\.where=\{"join":"and","of":\[\{"filter":"airport_id","value":\{"notIn":\["\d+"\]\}\}\]\}$/,
    )
    expect(chips).toEqual([expect.stringMatching(/^Strikes every: Airport not Denver/)])
    await reopen()
    await expect
      .poll(() => airport.getByRole('checkbox', { name: /^Denver/ }).isChecked())
      .toBe(true)
    await strikes.getByText('None', { exact: true }).click()
    await apply()
    expect((await result()).search).toMatch(/rows=none&/)
    await reopen()
    await press('Remove the group, Conditions on Strikes')
    await apply()
    expect(await result()).toMatchObject({
      search: '?filter.~strikes~species_id.rows=none',
      chips: ['Strikes none'],
    })
  })

  nightly.detail('what a filter does not take is refused by its name', async () => {
    await open('strikes')
    await filter('Speed').getByLabel('Minimum', { exact: true }).fill('fast')
    await apply()
    await page.getByText('The filter “speed_kt”').waitFor()
    const answer = await page.goto(
      `${office.origin}/tables/strikes?filters=apply&filter.builder.join=and&filter.builder.1.filter=nothing`,
    )
    expect(answer?.status()).toBe(422)
  })

  nightly.layout.each(['light', 'dark'] as const)('accessible in %s', async (colorScheme) => {
    // Axe is a script itself, so the page is shown to it as browsers without script show it.
    const live = await office.signedIn({ colorScheme, serviceWorkers: 'block' })
    const other = await live.newPage()
    await other.route(/\/tables\/|\.css$/, async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text())
        .replace(/<script[^>]*><\/script>/g, '')
        .replaceAll('noscript', 'div')
        .replaceAll('(scripting:none)', 'all')
        .replaceAll('(scripting:enabled)', 'not all')
      await route.fulfill({ response: answer, body: text })
    })
    const query =
      '?filters=find:species_id&filter.species_id.find=go&filter.builder.join=or' +
      '&filter.builder.1.filter=speed_kt&filter.builder.1.min=3&filter.builder.2.join=and' +
      '&filter.~comments~strike_id.rows=every&filter.~comments~strike_id.where.join=and'
    await other.goto(`${office.origin}/tables/strikes${query}`)
    await other.getByRole('group', { name: 'Conditions on Comments' }).waitFor()
    const axe = new AxeBuilder({ page: other }).include('.filters').setLegacyMode()
    const { violations } = await axe.analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    await live.close()
  })
})

const PHASE = { filter: 'phase', value: { in: ['Climb'] } }
const SPEED = { filter: 'speed_kt', value: { max: 200 } }

test('sign out, and nothing of the table is shown any more', async () => {
  await page.getByRole('button', { name: ADMINISTRATOR.name }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/sign-in$/)
  await page.goto(`${office.origin}/tables/airports`)
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})
