import { describe, expect, test } from 'vitest'
import { columnOf } from '../../../test/table-of.ts'
import { jsonFormat } from './json-lines.ts'
import { type FileColumn, type LineFormat, writeLines } from './lines.ts'
import type { Column } from './schema.ts'
import type { Value } from './value.ts'
import { letters, xlsxFormat } from './xlsx-rows.ts'

const cell = (format: LineFormat, value: Value, over: Partial<Column> = {}) => {
  const part = { ...columnOf('x', over), at: 0 }
  return format.cell(part, { name: 'x', parts: [part] }, 0)(value, 0)
}

describe('in JSON', () => {
  test.each<[Value, Partial<Column>, string]>([
    [null, {}, 'null'],
    ['', {}, '""'],
    ['say "no"\n\u0001', {}, '"say \\"no\\"\\n\\u0001"'],
    ['\ud800', {}, '"\\ud800"'],
    ['=1+1', {}, '"=1+1"'],
    ['ab  ', { isPadded: true }, '"ab"'],
    [7, { type: 'integer' }, '7'],
    [-0, { type: 'float' }, '0'],
    [9_007_199_254_740_993n, { type: 'integer' }, '"9007199254740993"'],
    [12.5, { type: 'decimal' }, '"12.5"'],
    ['12.50', { type: 'decimal' }, '"12.50"'],
    [0.1, { type: 'float' }, '0.1'],
    [NaN, { type: 'float' }, '"NaN"'],
    [-Infinity, { type: 'float' }, '"-Infinity"'],
    [true, { type: 'boolean' }, 'true'],
    ['2024-01-02 03:04:05+02', { type: 'datetime' }, '"2024-01-02T03:04:05+02:00"'],
    ['{"a": 9007199254740993}', { type: 'json' }, '{"a": 9007199254740993}'],
    ['{nothing', { type: 'json' }, '"{nothing"'],
    [Uint8Array.of(0, 255), { type: 'binary' }, '"AP8="'],
  ])('%s as %j is %s', (value, over, written) =>
    expect(cell(jsonFormat, value, over)).toBe(`"x":${written}`),
  )
})

const number = (value: string | number, style = '') => `<c r="A2"${style}><v>${value}</v></c>`
const text = (value: string, style = '', space = '') =>
  `<c r="A2" t="inlineStr"${style}><is><t${space}>${value}</t></is></c>`
const SPACE = ' xml:space="preserve"'
const SIGN = ' s="7"'
const ZONED = { type: 'datetime', zoned: true } as const

describe('in XLSX', () => {
  test.each<[Value, Partial<Column>, string]>([
    [null, {}, ''],
    ['', {}, text('')],
    ['plain', {}, text('plain')],
    [' a<b>&"c" ', {}, text(' a&lt;b&gt;&amp;"c" ', '', SPACE)],
    ['\u0000\u0007\r\n\uFFFF', {}, text('_x0000__x0007__x000D_\n_xFFFF_', '', SPACE)],
    ['_x0041_ is no A', {}, text('_x005F_x0041_ is no A', '', SPACE)],
    ['=1+1', {}, text('=1+1', SIGN, SPACE)],
    ['-5', {}, text('-5', SIGN, SPACE)],
    ['＝1', {}, text('＝1', SIGN, SPACE)],
    [7, { type: 'integer' }, number(7, ' s="2"')],
    [999_999_999_999_999, { type: 'integer' }, number(999_999_999_999_999, ' s="2"')],
    [1_234_567_890_123_456, { type: 'integer' }, text('1234567890123456')],
    [9_007_199_254_740_993n, { type: 'integer' }, text('9007199254740993')],
    [12.5, { type: 'decimal', scale: 2 }, number(12.5, ' s="3"')],
    ['12.50', { type: 'decimal' }, number('12.50')],
    ['0.123456789012345', { type: 'decimal' }, number('0.123456789012345')],
    ['1234567890.1234567', { type: 'decimal' }, text('1234567890.1234567')],
    ['NaN', { type: 'decimal' }, text('NaN')],
    ['12', {}, text('12')],
    [0.1 + 0.2, { type: 'float' }, number('0.30000000000000004')],
    [Infinity, { type: 'float' }, text('Infinity')],
    [true, { type: 'boolean' }, '<c r="A2" t="b"><v>1</v></c>'],
    ['1900-03-01', { type: 'date' }, number(61, ' s="4"')],
    ['1900-02-28', { type: 'date' }, text('1900-02-28')],
    ['infinity', { type: 'date' }, text('infinity')],
    ['2024-02-29 12:00:00', { type: 'datetime' }, number(45_351.5, ' s="5"')],
    ['2024-02-29T12:00:00Z', ZONED, number(45_351.5, ' s="5"')],
    ['2024-02-29 15:30:00+03:30', ZONED, number(45_351.5, ' s="5"')],
    ['2024-02-29 09:00:00-03', ZONED, number(45_351.5, ' s="5"')],
    ['2024-02-29 12:00:00', ZONED, number(45_351.5, ' s="5"')],
    ['2024-02-29T12:00:00Z', { type: 'datetime' }, text('2024-02-29T12:00:00Z')],
    ['2024-02-29 12:00:00+02', { type: 'datetime' }, text('2024-02-29 12:00:00+02')],
    ['2024-02-29 24:00:00', { type: 'datetime' }, text('2024-02-29 24:00:00')],
    ...['0020-03-01', '0099-12-31', '2026-02-30', '2020-00-00', '2024-00-10', '10000-01-01'].map(
      (day): [Value, Partial<Column>, string] => [day, { type: 'date' }, text(day)],
    ),
    ...['24:00:00', '30:00:00', '838:59:59', '10:60:00', '10:00:60'].map(
      (time): [Value, Partial<Column>, string] => [time, { type: 'time' }, text(time)],
    ),
    ['23:59:59.5', { type: 'time' }, number(86_399.5 / 86_400, ' s="6"')],
    ['06:00:00', { type: 'time' }, number(0.25, ' s="6"')],
    ['-163:53:21', { type: 'time' }, text('-163:53:21', SIGN, SPACE)],
    [Uint8Array.of(0, 255), { type: 'binary' }, text('0x00ff')],
  ])('%s as %j is %s', (value, over, written) =>
    expect(cell(xlsxFormat, value, over)).toBe(written),
  )

  test('a text is as long as a cell may be', () => {
    const written = cell(xlsxFormat, 'x'.repeat(40_000))
    expect(/<t>(.*)<\/t>/.exec(written)?.[1]).toBe(`${'x'.repeat(32_766)}…`)
  })

  test('columns have letters', () =>
    expect([0, 25, 26, 701, 702].map(letters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']))
})

const key = { ...columnOf('id', { type: 'integer' }), at: 0 }
const first = { ...columnOf('first'), at: 1, isJudged: true }
const last = { ...columnOf('last'), at: 2 }
const SECRET = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'

test('what names a row is put together, without secrets and blanks, and else is its key', () => {
  const columns: FileColumn[] = [{ name: 'who', parts: [first, last], otherwise: key }]
  const rows: Value[][] = [
    [1, 'Ana', 'Berg'],
    [2, null, 'Cox'],
    [3, ' ', null],
    [4, SECRET, 'Dee'],
  ]
  const textOf = (format: 'csv' | 'json' | 'xlsx') =>
    Buffer.concat(writeLines(rows, { format, columns, first: 0 }).pieces).toString()
  expect(textOf('csv')).toBe('Ana Berg\r\nCox\r\n3\r\nDee\r\n')
  expect(JSON.parse(`[${textOf('json')}]`)).toEqual([
    { who: 'Ana Berg' },
    { who: 'Cox' },
    { who: 3 },
    { who: 'Dee' },
  ])
  expect(textOf('xlsx')).toContain('<row r="4"><c r="A4" s="2"><v>3</v></c></row>')
})
