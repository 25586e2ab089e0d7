/** Amounts of one declared currency: shown, added up, asked for and written in it, the same on every engine. */

import { describe, expect, test } from 'vitest'
import type { ExportChoice } from '../../src/protocol/export.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import type { ColumnOptions, Definitions } from '../../src/table/definition/define-table.ts'
import { readAsk } from '../../src/table/plans/read-ask.ts'
import type { Texts } from '../../src/table/record/form/changed.ts'
import { drawFields } from '../../src/table/record/form/field.ts'
import { createSaving } from '../../src/table/record/form/saving.ts'
import { doorTo } from '../door-to.ts'
import { anything } from '../kills/jars.ts'
import { admin } from '../table-of.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { exportFile, openList } from './listed.ts'
import { openBench } from './opened.ts'

/** More than a double holds to the last digit. */
const GREAT = 9_007_199_254_740_993n

const PRODUCTS: FixtureTable = {
  name: 'products',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'price_cents', type: 'integer', nullable: true },
    { name: 'fee', type: 'decimal', nullable: true },
    { name: 'budget', type: 'integer', nullable: true },
  ],
  key: ['id'],
  rows: [
    [1, 1250, '0.50', 1000],
    [2, 99, '1.25', 2000],
    [3, -1, '3', null],
    [4, GREAT, null, null],
    [5, null, null, null],
  ],
}

const reader = { language: 'en', locale: 'en-GB' }

const inCurrency = (code: string, more: ColumnOptions = { summary: 'sum' }): Definitions => ({
  products: {
    columns: {
      price_cents: { currency: { code }, ...more },
      fee: { currency: { code } },
      budget: { currency: { code } },
    },
  },
})

export function fixedCurrencyContract(name: string, open: OpenFixture): void {
  describe(`${name}: amounts of one currency`, () => {
    async function opened(definitions = inCurrency('EUR')) {
      const bench = await openBench(open, { tables: [PRODUCTS] })
      const { source } = bench
      const catalog = await createCatalog(source, anything, { definitions })
      const products = catalog.open(admin, 'products')
      const door = doorTo(source, () => catalog)
      const saving = createSaving({ source, door, href: (table) => `/${table}` })
      const save = (key: string, changed: Texts, seen: Texts) =>
        saving.save({
          ...{ open: products, actor: admin, reader, door: 'form', key, changed, seen },
        })
      const field = async (key: string, column: string) => {
        const values = (await saving.readRow(products, key)) ?? {}
        const asked = { values, isNew: false, labels: new Map(), only: column }
        const [drawn] = drawFields(products, asked, reader)
        return drawn && 'input' in drawn ? drawn.input : undefined
      }
      const stored = async (id: number) =>
        String(
          (
            await bench.query(`select cast(price_cents as char(30)) from products where id = ${id}`)
          )[0]?.[0],
        ).trim()
      const list = (query = 'sort=id') =>
        openList(source, 'products', { definitions, policy: anything, query })
      return { products, save, field, stored, list }
    }

    test('are bare figures in the digits of the currency, whose sign stands in the head', async () => {
      const { list } = await opened()
      const { texts, list: shown } = await list()
      const exact = '90,071,992,547,409.93'
      expect(texts('price_cents')).toEqual(['12.50', '0.99', '-0.01', exact, ''])
      expect(texts('fee').slice(0, 3)).toEqual(['0.50', '1.25', '3.00'])
      // Whole amounts stay whole.
      expect(texts('budget').slice(0, 2)).toEqual(['1,000', '2,000'])
      const heads = shown.view.columns.map(({ label, unit }) => [label, unit])
      expect(heads.slice(-3)).toEqual([
        ['Price', '€'],
        ['Fee', '€'],
        ['Budget', '€'],
      ])
    })

    test.each([
      ['JPY', ['1,250', '99', '-1'], ['0.50', '1.25', '3.00'], '¥'],
      ['KWD', ['1.250', '0.099', '-0.001'], ['0.500', '1.250', '3.000'], 'KWD'],
    ])(
      'in %s have its digits, and more where more are stored',
      async (code, expected, fees, sign) => {
        const { list, save, stored, field } = await opened(inCurrency(code))
        const { texts, list: shown } = await list()
        expect(texts('price_cents').slice(0, 3)).toEqual(expected)
        expect(texts('fee').slice(0, 3)).toEqual(fees)
        expect(shown.view.columns.find(({ name }) => name === 'price_cents')?.unit).toBe(sign)
        const text = (await field('1', 'price_cents'))?.text ?? ''
        await save('1', { price_cents: null }, { price_cents: text })
        expect(await save('1', { price_cents: text }, { price_cents: null })).toMatchObject({
          status: 'saved',
        })
        expect(await stored(1)).toBe('1250')
      },
    )

    test('are added up in the currency, under the page and of a selection', async () => {
      const { list } = await opened()
      const few = await list('sort=id&filter.price_cents.max=100')
      expect(few.sum('price_cents')).toBe('13.48')
      const sums = async (selected: string[] | { except: string[] }) => {
        const found = await few.list.call.selectedSums(selected, ['price_cents', 'fee'])
        return Object.fromEntries(found.map(({ column, text }) => [column, text]))
      }
      expect(await sums(['1', '2'])).toEqual({ price_cents: '13.49', fee: '1.75' })
      expect(await sums({ except: [] })).toEqual({ price_cents: '13.48', fee: '4.75' })
      const means = await opened(inCurrency('EUR', { summary: 'mean' }))
      expect((await means.list('filter.price_cents.max=100')).sum('price_cents')).toBe('4.49')
    })

    test('are filtered and found as they are shown', async () => {
      const { list } = await opened()
      expect(
        (await list('filter.price_cents.min=0.99&filter.price_cents.max=12.5')).keys(),
      ).toEqual(['2', '1'])
      expect((await list('filter.price_cents.min=12.499')).keys()).toEqual(['4', '1'])
      expect((await list('filter.price_cents.min=12.501')).keys()).toEqual(['4'])
      expect((await list('filter.price_cents.min=90071992547409.93')).keys()).toEqual(['4'])
      const { view } = (await list('filter.price_cents.min=0.9&filter.price_cents.max=12.5')).list
      expect(view.filters.chips.map(({ value }) => value)).toEqual(['0.90 – 12.50'])
      expect((await list('search=12.50')).keys()).toEqual(['1'])
      expect((await list('search=1250')).keys()).toEqual([])
    })

    test('are exported as they are stored, or as amounts where names are asked for', async () => {
      const { source } = await openBench(open, { tables: [PRODUCTS] })
      const definitions = inCurrency('EUR')
      const asked = { definitions, query: 'sort=id&columns=id,price_cents' } as const
      const lines = async (choice: Partial<ExportChoice>) => {
        const file = await exportFile(source, 'products', { ...asked, columns: 'shown', ...choice })
        return file.toString().replace('\uFEFF', '').trim().split(/\r?\n/)
      }
      const stored = ['1,1250', '2,99', '3,-1', `4,${GREAT}`, '5,']
      expect(await lines({})).toEqual(['ID,Price (cents)', ...stored])
      const amounts = ['1,12.50', '2,0.99', '3,-0.01', '4,90071992547409.93', '5,']
      expect(await lines({ references: 'names' })).toEqual(['ID,Price (EUR)', ...amounts])
      expect((await lines({ references: 'both' })).slice(0, 2)).toEqual([
        'ID,Price (cents),Price (EUR)',
        '1,1250,12.50',
      ])
      // Its names are those of what is stored.
      const json = await lines({ references: 'names', format: 'json' })
      expect(json.join('')).toContain('{"id":1,"price_cents":1250}')
    })

    test('are edited in major units, exactly', async () => {
      const { field, save, stored, products } = await opened()
      expect(await field('1', 'price_cents')).toMatchObject({
        ...{ label: 'Price', unit: '€', text: '12.50', control: { is: 'number' } },
      })
      expect((await field('4', 'price_cents'))?.text).toBe('90071992547409.93')
      await save(
        '4',
        { price_cents: '90,071,992,547,409.95' },
        { price_cents: '90071992547409.93' },
      )
      expect(await stored(4)).toBe('9007199254740995')
      expect(await save('1', { price_cents: '13' }, { price_cents: '12.50' })).toMatchObject({
        status: 'saved',
      })
      expect(await stored(1)).toBe('1300')
      expect(await save('1', { price_cents: '1.005' }, { price_cents: '13.00' })).toMatchObject({
        errors: { price_cents: [expect.stringContaining('fewer digits')] },
      })
      expect(await save('2', { price_cents: '5' }, { price_cents: '12.50' })).toMatchObject({
        conflicts: [{ column: 'price_cents', theirs: '0.99' }],
      })
      const asked = async (fields: Parameters<typeof readAsk>[1] & { do: 'edit' }) =>
        readAsk({ open: products, reader }, fields)
      const set = { price_cents: { how: 'set', text: '7.5' } } as const
      expect(await asked({ do: 'edit', fields: set })).toEqual({
        write: { set: { price_cents: 750 } },
      })
      const add = { price_cents: { how: 'add', text: '-0.25' } } as const
      expect(await asked({ do: 'edit', fields: add })).toEqual({
        write: { set: { price_cents: { add: '-25' } } },
      })
    })
  })
}
