import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { admin } from '../../../../test/table-of.ts'
import type { FieldInput, FieldReadings } from '../../../protocol/form-view.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import type { Catalog } from '../../catalog.ts'
import { createCatalog } from '../../catalog.ts'
import type { Definitions } from '../../definition/define-table.ts'
import type { Policy } from '../../source/access.ts'
import { everything } from '../../source/predicate.ts'
import { createCellsComponent } from './cells.ts'
import type { Texts } from './changed.ts'
import { createFormComponent, type FormParams } from './component.ts'
import { drawFields } from './field.ts'
import { readPosted } from './posted.ts'
import { createSaving } from './saving.ts'

let data: OpenDataFile
let catalog: Catalog

const LINES = 'offers(part_id)'
const PLAIN: Definitions = {}
const IN_EUROS: Definitions = {
  parts: { columns: { price_cents: { currency: { code: 'EUR' } } } },
  offers: { columns: { price_cents: { currency: { code: 'EUR' } } } },
}

const policy: Policy = {
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    const actions = ['read', 'create', 'update', 'delete'] as const
    return { actions, rows: everything, readable: names, writable: names }
  },
}

/** As an administrator corrects the tables. */
async function define(definitions: Definitions) {
  catalog = await createCatalog(data.source, policy, { definitions })
}

beforeEach(async () => {
  data = await openDataFile(`create table parts (id integer primary key, name text,
      price_cents integer, made_at integer);
    create table offers (id integer primary key, part_id integer not null references parts(id) on delete cascade,
      price_cents integer);
    insert into parts values (1, 'Wing', 1250, 1709645400), (2, 'Door', null, null)`)
  await define(PLAIN)
})
afterEach(() => data.close())

const services = () => ({
  ...{ source: data.source, catalog: () => catalog, door: doorTo(data.source, () => catalog) },
  ...{ isLive: false, href: (table: string) => `/tables/${table}` },
})

const readingsOf = (fields: readonly FieldInput[], section = ''): FieldReadings =>
  Object.fromEntries(
    fields.flatMap(({ name, reading }) =>
      reading === undefined ? [] : [[section + name, reading]],
    ),
  )

const openForm = (params: Partial<FormParams>) =>
  testComponent(createFormComponent(services()), {
    ...{ actor: admin, params: { table: 'parts', key: null, copyOf: null, preset: {}, ...params } },
  })

const prices = () => data.rows('select price_cents from parts order by id').flatMap(Object.values)

const IN_EUR = 'This is entered in EUR now. Enter it again.'
const AS_STORED = 'This is entered as the number that is stored now. Enter it again.'

describe('an amount that was typed before its currency was chosen', () => {
  test.each(['1', '2'])('is not saved in it, but asked for again: row %s', async (key) => {
    const form = await openForm({ key })
    const drawn = readingsOf(form.view.fields)
    const seen = { price_cents: key === '1' ? '1250' : null }
    const before = prices()
    await define(IN_EUROS)
    const refused = await form.call.save({ price_cents: '1300' }, seen, null, drawn)
    expect(refused).toEqual({
      ...{ status: 'refused', errors: { price_cents: [IN_EUR] }, conflicts: [] },
    })
    expect(prices()).toEqual(before)
    // The answer draws the field as it is read now.
    const now = readingsOf(form.view.fields)
    expect(now).toMatchObject({ price_cents: 'EUR' })
    const again = { price_cents: key === '1' ? '12.50' : null }
    expect(await form.call.save({ price_cents: '13' }, again, null, now)).toMatchObject({
      status: 'saved',
    })
    expect(prices()[Number(key) - 1]).toBe(1300)
  })

  test('is not saved in a new row, and what was left empty is no amount', async () => {
    const form = await openForm({})
    const drawn = readingsOf(form.view.fields)
    await define(IN_EUROS)
    expect(await form.call.save({ price_cents: '1300' }, {}, null, drawn)).toMatchObject({
      errors: { price_cents: [IN_EUR] },
    })
    expect(await form.call.save({ name: 'Fin', price_cents: null }, {}, null, drawn)).toMatchObject(
      { status: 'saved' },
    )
  })

  test('is not saved as what is stored once it has none', async () => {
    await define(IN_EUROS)
    const form = await openForm({ key: '2' })
    const drawn = readingsOf(form.view.fields)
    await define(PLAIN)
    expect(
      await form.call.save({ price_cents: '13' }, { price_cents: null }, null, drawn),
    ).toMatchObject({ errors: { price_cents: [AS_STORED] } })
  })

  test('is not saved in another one', async () => {
    await define(IN_EUROS)
    const form = await openForm({ key: '2' })
    const drawn = readingsOf(form.view.fields)
    await define({ parts: { columns: { price_cents: { currency: { code: 'JPY' } } } } })
    expect(
      await form.call.save({ price_cents: '13' }, { price_cents: null }, null, drawn),
    ).toMatchObject({ errors: { price_cents: [IN_EUR.replace('EUR', 'JPY')] } })
  })

  test('is not saved in a line', async () => {
    const form = await openForm({ key: '1' })
    const section = form.view.lines.find(({ name }) => name === LINES)
    const drawn = readingsOf(section?.fields ?? [], `${LINES}/`)
    const line = { id: 'new 1', key: null, isRemoved: false }
    const lines = {
      [LINES]: { lines: [{ ...line, texts: { price_cents: '1300' }, seen: {} }], order: null },
    }
    await define(IN_EUROS)
    expect(await form.call.save({}, {}, { lines, links: {} }, drawn)).toMatchObject({
      sections: { [LINES]: { 'new 1': { errors: { price_cents: [IN_EUR] } } } },
    })
    const now = readingsOf(form.view.lines[0]?.fields ?? [], `${LINES}/`)
    expect(await form.call.save({}, {}, { lines, links: {} }, now)).toMatchObject({
      status: 'saved',
    })
    expect(data.row('select price_cents from offers')).toEqual({ price_cents: 130_000 })
  })

  test('is not saved from a form that is posted without script', async () => {
    const shown = (reading?: string) =>
      JSON.stringify({ price_cents: { seen: null, ...(reading !== undefined && { reading }) } })
    const post = (reading?: string) => {
      const open = catalog.open(admin, 'parts')
      const reader = { language: 'en', locale: 'en-US' }
      const sent = new Map([
        ...Object.entries({ 'set.price_cents': '1300', shown: shown(reading) }),
      ])
      const { typed, seen, readings } = readPosted(open, sent, { isNew: false, reader })
      return createSaving(services()).save({
        ...{ open, actor: admin, door: 'form', key: '2', changed: typed, seen, readings, reader },
      })
    }
    await define(IN_EUROS)
    expect(await post()).toMatchObject({ errors: { price_cents: [IN_EUR] } })
    expect(await post('EUR')).toMatchObject({ status: 'saved' })
    expect(prices()).toEqual([1250, 130_000])
  })

  test('is not saved in a cell', async () => {
    const cells = await testComponent(createCellsComponent(services()), {
      ...{ actor: admin, params: { table: 'parts' } },
    })
    const drawn = async () => {
      const cell = await cells.call.cell('2', 'price_cents')
      return readingsOf('field' in cell ? [cell.field] : [])
    }
    const before = await drawn()
    await define(IN_EUROS)
    const save = (readings: FieldReadings) =>
      cells.call.save('2', { price_cents: '1300' }, { price_cents: null }, readings)
    expect(await save(before)).toMatchObject({ errors: { price_cents: [IN_EUR] } })
    expect(await save(await drawn())).toMatchObject({ status: 'saved' })
    expect(prices()).toEqual([1250, 130_000])
  })
})

describe('a moment', () => {
  const asked = (timeZone: string) => {
    const open = catalog.open(admin, 'parts')
    const reader = { language: 'en', locale: 'en-US', timeZone }
    const save = (changed: Texts, seen: Texts, readings: FieldReadings) =>
      createSaving(services()).save({
        ...{ open, actor: admin, door: 'form', key: '1', changed, seen, readings, reader },
      })
    const drawn = () =>
      readingsOf(
        drawFields(
          open,
          { values: {}, isNew: false, labels: new Map(), only: 'made_at' },
          reader,
        ).flatMap((one) => ('input' in one ? [one.input] : [])),
      )
    return { save, drawn }
  }
  const moments = () => data.row('select made_at from parts where id = 1')
  const typed = { made_at: '2024-03-05 15:00:00' }

  test('that was typed by another clock is asked for again', async () => {
    const [vienna, newYork] = [asked('Europe/Vienna'), asked('America/New_York')]
    const seen = { made_at: '2024-03-05 14:30:00' }
    expect(await newYork.save(typed, seen, vienna.drawn())).toEqual({
      status: 'refused',
      errors: {
        made_at: [
          'This is entered as a date and time in the time zone America/New_York now. Enter it again.',
        ],
      },
      conflicts: [],
    })
    expect(moments()).toEqual({ made_at: 1_709_645_400 })
    expect(await vienna.save(typed, seen, vienna.drawn())).toMatchObject({ status: 'saved' })
    expect(moments()).toEqual({ made_at: 1_709_647_200 })
  })

  test('that was typed before its column was one of numbers is asked for again', async () => {
    const before = asked('UTC').drawn()
    await define({ parts: { columns: { made_at: { kind: 'number' } } } })
    const seen = { made_at: '2024-03-05 13:30:00' }
    expect(await asked('UTC').save({ made_at: '1709647200' }, seen, before)).toMatchObject({
      errors: { made_at: [AS_STORED] },
    })
  })
})
