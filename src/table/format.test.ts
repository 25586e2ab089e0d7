import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/tier.ts'
import { COLUMN_KINDS, type ColumnKind } from '../protocol/table-view.ts'
import { defineKind } from './definition/kind.ts'
import { formatterFor, TEXT_MAX } from './format.ts'
import type { Value } from './source/value.ts'

const en = formatterFor({ locale: 'en-US', language: 'en' })
const de = formatterFor({ locale: 'de', language: 'en' })
const column = (kind: ColumnKind) => ({
  name: 'column',
  label: 'Column',
  kind,
  hidden: false,
  sortable: true,
  searchable: true,
})
const cell = (kind: ColumnKind, value: Value, formatter = en) => formatter.cell(column(kind), value)

test.each(COLUMN_KINDS)('NULL stays NULL in a column of %s', (kind) => {
  expect(cell(kind, null)).toBe(null)
})

test.each(['text', 'longtext', 'key', 'number', 'date', 'email', 'link', 'boolean'] as const)(
  'empty text stays empty in a column of %s',
  (kind) => expect(cell(kind, '')).toBe(''),
)

describe('numbers', () => {
  test.each<[Value, string]>([
    [0, '0'],
    [-1, '-1'],
    [1234567, '1,234,567'],
    [9007199254740991, '9,007,199,254,740,991'],
    [9223372036854775807n, '9,223,372,036,854,775,807'],
    [-9223372036854775808n, '-9,223,372,036,854,775,808'],
    ['12345678901234567890.12345678901234567', '12,345,678,901,234,567,890.12345678901234567'],
    [0.1, '0.1'],
    [0.30000000000000004, '0.30000000000000004'],
    ['n/a', 'n/a'],
    ['1e5', '1e5'],
    ['0x10', '0x10'],
    [' 1', ' 1'],
  ])('%s is written %s', (value, text) => expect(cell('number', value)).toBe(text))

  test('follow the reader’s language', () => {
    expect(cell('number', 1234567.5, de)).toBe('1.234.567,5')
    expect(cell('date', '2024-02-29', de)).toBe('29.02.2024')
  })

  test('lose no digit of any 64-bit integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(String(cell('number', value)).replaceAll(',', '')).toBe(String(value))
        expect(cell('key', value)).toBe(String(value))
      }),
    )
  })

  test.each([
    ['4656.30', '4,656.30'],
    ['5.00', '5.00'],
    ['0.10', '0.10'],
    ['-0.1230', '-0.1230'],
    [`0.${'1'.repeat(40)}0`, `0.${'1'.repeat(40)}0`],
  ])('%s keeps its zeros: %s', (value, text) => expect(cell('number', value)).toBe(text))

  test('lose no digit of a decimal', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'123456789'), minLength: 1, maxLength: 19 })
    fc.assert(
      fc.property(digits, digits, (whole, fraction) => {
        const text = `${whole}.${fraction}`
        expect(String(cell('number', text)).replaceAll(',', '')).toBe(text)
      }),
    )
  })

  test('of money have two digits, or none where they are whole', () => {
    expect(cell('money', 1234)).toBe('1,234')
    expect(cell('money', 1234.5)).toBe('1,234.50')
    expect(cell('money', '12345678901234567890.10')).toBe('12,345,678,901,234,567,890.10')
  })
})

test('texts lose the blanks that their column is filled up with, and no others', () => {
  const written = (isPadded: boolean) =>
    formatterFor({ locale: 'en-US', language: 'en' }).cell(
      { ...column('text'), ...(isPadded && { isPadded }) },
      ' a  ',
    )
  expect([written(true), written(false)]).toEqual([' a', ' a  '])
})

describe('what is long', () => {
  const LONG = 1_000_000

  test.each(COLUMN_KINDS)('is cut in a column of %s, and formatted by nothing', (kind) => {
    for (const text of ['9'.repeat(LONG), `1.${'5'.repeat(LONG)}`, 'a_'.repeat(LONG / 2)]) {
      const [shown, length] = [cell(kind, text)].flat()
      expect([shown, length]).toEqual([text.slice(0, TEXT_MAX), text.length])
    }
  })

  test('is no infinite number', () => {
    expect(cell('number', '9'.repeat(300))).toMatch(/^999,/)
    expect(cell('number', '9'.repeat(309))).toEqual(['9'.repeat(TEXT_MAX), 309])
  })

  test('is given to no kind of one’s own, nor taken from one', () => {
    const given: number[] = []
    const ownKind = defineKind({
      name: 'own',
      cell: () => (value) => {
        given.push(String(value).length)
        return value === 'more'
          ? ['a', 'b'.repeat(LONG)]
          : value === 'pair'
            ? ['a'.repeat(LONG), 'b']
            : 'a'.repeat(LONG)
      },
    })
    const own = (value: string) => en.cell({ ...column('own'), ownKind }, value)
    expect(own('x'.repeat(LONG))).toEqual(['x'.repeat(TEXT_MAX), LONG])
    expect(given).toEqual([])
    expect(own('text')).toEqual(['a'.repeat(TEXT_MAX), LONG])
    expect(own('pair')).toEqual(['a'.repeat(TEXT_MAX), LONG])
    expect(own('more')).toBe('a')
  })

  test('loses its padding without each run of blanks being tried', () => {
    const text = `a${' '.repeat(400_000)}b`
    const padded = { ...column('text'), isPadded: true }
    expect(en.cell(padded, `${text}  `)).toEqual([text.slice(0, TEXT_MAX), text.length])
  })
})

describe('dates', () => {
  test.each<[Value, string]>([
    ['2024-02-29', 'Feb 29, 2024'],
    ['1899-12-31', 'Dec 31, 1899'],
    ['1582-10-10', 'Oct 10, 1582'],
    ['0001-01-01', 'Jan 1, 1'],
    ['0099-06-15', 'Jun 15, 99'],
    ['9999-12-31', 'Dec 31, 9999'],
    ['2023-02-29', '2023-02-29'],
    ['2023-13-01', '2023-13-01'],
    ['2023-00-10', '2023-00-10'],
    ['0000-00-00', '0000-00-00'],
    ['2023-1-1', '2023-1-1'],
    ['yesterday', 'yesterday'],
    [1700000000, '1700000000'],
  ])('%j is written %j', (value, text) => expect(cell('date', value)).toBe(text))

  test.each<[Value, string]>([
    ['2024-02-29 13:05', 'Feb 29, 2024, 01:05 PM'],
    ['2024-02-29 13:05:00', 'Feb 29, 2024, 01:05 PM'],
    ['2024-02-29T13:05:59.999999', 'Feb 29, 2024, 01:05:59 PM'],
    ['1890-01-01 00:00:00', 'Jan 1, 1890, 12:00 AM'],
    ['2024-02-29 24:00', '2024-02-29 24:00'],
    ['2024-02-29 23:60', '2024-02-29 23:60'],
    ['2024-02-29 10:61', '2024-02-29 10:61'],
    ['2024-02-29 10:59:61', '2024-02-29 10:59:61'],
    ['2024-02-29T13:05:00Z', 'Feb 29, 2024, 01:05 PM UTC'],
    ['2024-02-29 13:05:07.123456+00', 'Feb 29, 2024, 01:05:07 PM UTC'],
    ['2024-02-29 13:05:00+02', '2024-02-29 13:05:00+02'],
  ])('the moment %j is written %j', (value, text) =>
    expect(String(cell('datetime', value)).replaceAll('\u202f', ' ')).toBe(text),
  )

  test.each([
    ['2024-07-01 13:05:00+00', 'Europe/Vienna', 'Jul 1, 2024, 03:05 PM GMT+2'],
    ['2024-01-01T03:05:07Z', 'America/New_York', 'Dec 31, 2023, 10:05:07 PM EST'],
    ['2024-07-01T13:05:00Z', 'Asia/Kolkata', 'Jul 1, 2024, 06:35 PM GMT+5:30'],
    ['2024-01-01 03:05:07', 'America/New_York', 'Jan 1, 2024, 03:05:07 AM'],
  ])('the moment %j is in %s %j', (value, timeZone, text) => {
    const there = formatterFor({ locale: 'en-US', language: 'en', timeZone })
    expect(String(cell('datetime', value, there)).replaceAll('\u202f', ' ')).toBe(text)
  })

  test('show the day that is stored, in every year and whatever the zone of the machine', () => {
    const day = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(day, (date) => {
        const text = date.toISOString().slice(0, 10)
        const [, , number] = text.split('-')
        expect(cell('date', text)).toMatch(
          new RegExp(` ${Number(number)}, ${Number(text.slice(0, 4))}$`),
        )
      }),
    )
  })
})

describe('booleans', () => {
  test.each<[Value, string]>([
    [true, 'Yes'],
    [1, 'Yes'],
    [false, 'No'],
    [0, 'No'],
    [2, '2'],
    ['t', 't'],
  ])('%j is written %j', (value, text) => expect(cell('boolean', value)).toBe(text))
})

describe('statuses', () => {
  test.each([
    ['new', 'New', 'new'],
    ['in_review', 'In review', 'warn'],
    ['PAID', 'PAID', 'ok'],
    ['NY', 'NY', 'idle'],
    ['Boeing 737', 'Boeing 737', 'idle'],
    ['on_hold', 'On hold', 'warn'],
    ['household', 'Household', 'idle'],
    ['running_late', 'Running late', 'bad'],
    ['late_plate', 'Late plate', 'idle'],
    ['Template', 'Template', 'idle'],
    ['payment_failed', 'Payment failed', 'bad'],
    ['whatever', 'Whatever', 'idle'],
    ['renewed', 'Renewed', 'idle'],
  ])('%j is %j and %s', (value, text, tone) => expect(cell('status', value)).toEqual([text, tone]))
})

test('bytes are shown by their number, in a column of any kind', () => {
  expect(cell('binary', new Uint8Array(1234))).toMatch(/1,234/)
  expect(cell('text', new Uint8Array(0))).toMatch(/0/)
})

describe('long text', () => {
  test('is cut, and says how long it is', () => {
    expect(cell('text', 'x'.repeat(160))).toBe('x'.repeat(160))
    expect(cell('text', 'x'.repeat(161))).toEqual(['x'.repeat(160), 161])
  })

  test('is never cut inside a character', () => {
    for (let lead = 0; lead < 4; lead++) {
      const text = 'x'.repeat(lead) + '🦉'.repeat(200)
      const [shown] = cell('text', text) as [string, number]
      expect(shown.isWellFormed()).toBe(true)
      expect(text.startsWith(shown)).toBe(true)
    }
  })

  test('of any kind of text is well-formed and short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 150, maxLength: 400 }), (text) => {
        const shown = cell('longtext', text)
        if (!Array.isArray(shown)) return expect(shown).toBe(text)
        expect(shown[0].isWellFormed()).toBe(true)
        expect(shown[0].length).toBeLessThanOrEqual(160)
        expect(text.startsWith(shown[0])).toBe(true)
        expect(shown[1]).toBe(text.length)
      }),
    )
  })
})

test('whatever a column holds, there is a cell for it', () => {
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.uint8Array(),
  )
  fc.assert(
    fc.property(fc.constantFrom(...COLUMN_KINDS), value, (kind, some) => {
      const shown = cell(kind, some)
      expect(Array.isArray(shown) ? typeof shown[0] : typeof shown).toBe('string')
    }),
    { numRuns: runs(2000) },
  )
})

test('a formatter is made once for a language', () => {
  const reader = { locale: 'en-GB', language: 'en' }
  expect(formatterFor(reader)).toBe(formatterFor({ ...reader }))
})
