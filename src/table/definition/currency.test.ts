import { describe, expect, test } from 'vitest'
import { columnOf, definitionOf, tableOf } from '../../../test/table-of.ts'
import { formatterFor } from '../format.ts'
import { checkDefinitions } from './check-definitions.ts'
import type { ColumnOptions, Definitions } from './define-table.ts'
import { inferTables } from './infer.ts'
import { optionsOf } from './options-of.ts'
import { amountText, currencyDigits } from './currency.ts'
import { inMajor, inMinor } from '../source/minor-units.ts'

const integer = (name: string) => columnOf(name, { type: 'integer' })

describe('amounts in the smallest unit', () => {
  test('are whole numbers called so beside a currency, and have the label of the amount', () => {
    const columns = [
      'id',
      'price_cents',
      'total_in_cents',
      'tax_minor',
      'version_minor',
      'cents',
    ].map(integer)
    const beside = definitionOf([...columns, columnOf('currency_code')]).columns
    const of = (name: string) => [beside.get(name)?.kind, beside.get(name)?.label]
    expect(of('price_cents')).toEqual(['money', 'Price'])
    expect(of('total_in_cents')).toEqual(['money', 'Total'])
    expect(of('tax_minor')).toEqual(['money', 'Tax'])
    expect(of('cents')).toEqual(['money', 'Cents'])
    expect(of('version_minor')).toEqual(['number', 'Version minor'])
    expect(beside.get('price_cents')).toMatchObject({
      currency: 'currency_code',
      minorUnit: 'cents',
    })
    const alone = definitionOf(columns).columns.get('total_in_cents')
    expect([alone?.currency, alone?.minorUnit, alone?.label]).toEqual([
      undefined,
      undefined,
      'Total in cents',
    ])
    // Whoever corrects them is offered a currency.
    const kinds = [...definitionOf(columns).columns.values()].map(({ kind }) => kind)
    expect(kinds).toEqual(['key', 'money', 'money', 'number', 'number', 'money'])
  })

  test('have the currency whose name begins as theirs', () => {
    const columns = [
      integer('id'),
      integer('fee_cents'),
      columnOf('currency'),
      columnOf('fee_currency'),
    ]
    expect(definitionOf(columns).columns.get('fee_cents')?.currency).toBe('fee_currency')
  })

  test('are what is declared, whatever names say', () => {
    const table = tableOf([
      integer('id'),
      integer('net'),
      integer('limit_cents'),
      columnOf('iso'),
      columnOf('currency'),
    ])
    const declared: Definitions = {
      [table.name]: {
        columns: {
          net: { kind: 'money', currency: 'iso', minorUnit: 'Rappen' },
          limit_cents: { minorUnit: false, currency: false },
        },
      },
    }
    expect(checkDefinitions(declared, { name: 'x', engine: 'x', tables: [table] })).toEqual([])
    const { columns } = inferTables([table], declared).get(table.name)!
    expect(columns.get('net')).toMatchObject({ currency: 'iso', minorUnit: 'Rappen' })
    const limit = columns.get('limit_cents')
    expect(limit).toMatchObject({ kind: 'money', label: 'Limit cents' })
    expect([limit?.currency, limit?.minorUnit]).toEqual([undefined, undefined])
    // What is read of a declaration declares the same.
    const again = { [table.name]: optionsOf(inferTables([table], declared).get(table.name)!) }
    expect(inferTables([table], again).get(table.name)!.columns.get('net')).toEqual(
      columns.get('net'),
    )
  })

  test('of one declared currency are called so without a column beside them, and bear its sign', () => {
    const table = tableOf([
      ...['id', 'price_cents', 'fee_usd', 'net', 'budget', 'total_cents'].map(integer),
      columnOf('rate_price', { type: 'decimal', scale: 4 }),
      columnOf('currency'),
    ])
    const euro = { currency: { code: 'EUR' } }
    const declared: Definitions = {
      [table.name]: {
        columns: {
          price_cents: euro,
          fee_usd: { currency: { code: 'CAD' }, minorUnit: 'cents' },
          net: { kind: 'money', currency: { code: 'KWD' }, minorUnit: 'fils', unit: '' },
          budget: euro,
          rate_price: { ...euro, unit: 'Euro' },
        },
      },
    }
    const schema = { name: 'x', engine: 'x', tables: [table] }
    expect(checkDefinitions(declared, schema)).toEqual([])
    const { columns } = inferTables([table], declared).get(table.name)!
    const of = (name: string) => {
      const { label, minorUnit, unit, fixedCurrency, currency } = columns.get(name) ?? {}
      return [label, minorUnit, unit, fixedCurrency?.code, fixedCurrency?.digits, currency]
    }
    expect(of('price_cents')).toEqual(['Price', 'cents', '€', 'EUR', 2, undefined])
    expect(of('fee_usd')).toEqual(['Fee', 'cents', 'CA$', 'CAD', 2, undefined])
    expect(of('net')).toEqual(['Net', 'fils', undefined, 'KWD', 3, undefined])
    // Whole amounts have no digits after the point.
    expect(of('budget')).toEqual(['Budget', undefined, '€', 'EUR', 0, undefined])
    expect(of('rate_price')).toEqual(['Rate price', undefined, 'Euro', 'EUR', 2, undefined])
    // Nothing is guessed of the others.
    expect(of('total_cents')).toEqual([
      'Total',
      'cents',
      undefined,
      undefined,
      undefined,
      'currency',
    ])
    const { columns: options } = optionsOf(inferTables([table], declared).get(table.name)!)
    expect(options?.['price_cents']).toMatchObject({
      currency: { code: 'EUR' },
      minorUnit: 'cents',
    })
    expect(options?.['price_cents']).not.toHaveProperty('unit')
    const again = inferTables([table], { [table.name]: { columns: options ?? {} } })
    for (const name of ['price_cents', 'fee_usd', 'budget', 'rate_price'])
      expect(again.get(table.name)?.columns.get(name)).toEqual(columns.get(name))
  })

  test('of one currency have no unit that is the word for what is stored', () => {
    const table = tableOf([integer('price_cents'), columnOf('fee', { type: 'decimal' })])
    const unitOf = (name: string, options: ColumnOptions) =>
      inferTables([table], { [table.name]: { columns: { [name]: options } } })
        .get(table.name)!
        .columns.get(name)?.unit
    const currency = { code: 'EUR' }
    for (const unit of ['cents', 'Cent'])
      expect(unitOf('price_cents', { currency, unit })).toBe('€')
    expect(unitOf('price_cents', { currency, minorUnit: 'ct', unit: 'ct' })).toBe('€')
    expect(unitOf('price_cents', { currency, unit: 'Euro' })).toBe('Euro')
    // Without a currency, and where nothing is stored in cents, it is what it is declared to be.
    expect(unitOf('price_cents', { unit: 'cents' })).toBe('cents')
    expect(unitOf('fee', { kind: 'money', currency, unit: 'cents' })).toBe('cents')
  })

  test('of one currency that are no whole numbers are shown as they are stored', () => {
    const { cell } = formatterFor({ locale: 'en', language: 'en' })
    const euro = { fixedCurrency: { code: 'EUR', digits: 2 } }
    const table = tableOf([integer('price_cents')])
    const column = { ...inferTables([table]).get(table.name)!.columns.get('price_cents')!, ...euro }
    const text = (value: number | string, more = {}) => cell({ ...column, ...more }, value)
    expect([text(12.5, { minorUnit: 'cents' }), text('soon', { minorUnit: 'cents' })]).toEqual([
      ...['12.5 cents', 'soon cents'],
    ])
    expect([text(12), text('12.3456'), text(0.5)]).toEqual(['12.00', '12.3456', '0.50'])
  })

  test('keep every digit, both ways', () => {
    expect([inMajor('1250', 2), inMajor('-5', 3), inMajor('7', 0), inMajor('0', 2)]).toEqual([
      ...['12.50', '-0.005', '7', '0.00'],
    ])
    expect(inMajor('9223372036854775807', 2)).toBe('92233720368547758.07')
    expect(inMajor('12.5', 2)).toBe('12.5')
    const typed = ['12.50', '12.5', '12', '-.05', '+1', '0012.500', '92233720368547758.07']
    expect(typed.map((text) => inMinor(text, 2))).toEqual([
      ...['1250', '1250', '1200', '-5', '100', '1250', '9223372036854775807'],
    ])
    expect(['12.505', '1e5', '', '-'].map((text) => inMinor(text, 2))).toEqual(
      Array.from({ length: 4 }),
    )
    expect(inMinor('12.5', 0)).toBeUndefined()
  })

  test('have the digits of their currency, and none that is not known', () => {
    const digits = ['EUR', 'JPY', 'KWD', 'XYZ', 'eur', ''].map((code) => currencyDigits(code))
    expect(digits).toEqual([2, 0, 3, undefined, undefined, undefined])
    const formatter = formatterFor({ locale: 'de-AT', language: 'en' })
    const text = (value: number | null, currency: string | null) =>
      amountText({ minorUnit: 'cents' }, value, currency, formatter)
    expect(text(123_456, ' eur ')).toBe('€\u00a01.234,56')
    expect([text(5, null), text(5, 'doubloons'), text(null, 'EUR')]).toEqual(
      Array.from({ length: 3 }),
    )
  })
})
