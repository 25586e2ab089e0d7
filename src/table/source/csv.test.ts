import { describe, expect, test } from 'vitest'
import { columnOf } from '../../../test/table-of.ts'
import type { Column } from './schema.ts'
import type { Value } from './value.ts'
import { csvFormat, csvHead } from './csv.ts'
import { type FileColumn, writeLines } from './lines.ts'

const part = (name: string, at: number, over: Partial<Column> = {}) => ({
  ...columnOf(name, over),
  at,
})

const cell = (value: Value, over: Partial<Column> = {}) => {
  const column: FileColumn = { name: 'x', parts: [part('x', 0, over)] }
  return csvFormat.cell(column.parts[0], column, 0)(value, 0)
}

const linesOf = (rows: Iterable<readonly Value[]>, names: readonly string[], most?: number) =>
  writeLines(
    rows,
    {
      format: 'csv',
      columns: names.map((name, at) => ({ name, parts: [part(name, at)] })),
      first: 0,
    },
    most,
  )

describe('a cell', () => {
  test.each<[Value, string]>([
    [null, ''],
    ['', '""'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['a;b', '"a;b"'],
    [' wide ', '" wide "'],
    [0, '0'],
    [-0, '0'],
    [0.07, '0.07'],
    [19.9, '19.9'],
    [1.005, '1.005'],
    [21_474_836.47, '21474836.47'],
    [21_474_836.48, '21474836.48'],
    [1e21, '1e+21'],
    [Number.MIN_VALUE, '5e-324'],
    [-1.5, '-1.5'],
    ['123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
    ['-0.10', '-0.10'],
    [true, 'true'],
    [Uint8Array.of(0, 255), '0x00ff'],
    ['ünïcode 🦆', 'ünïcode 🦆'],
  ])('%j is written %s', (value, written) => expect(cell(value)).toBe(written))

  test('of a large number keeps every digit', () =>
    expect(cell(9_007_199_254_740_993n)).toBe('9007199254740993'))

  test('of a number is as JavaScript writes it, however many decimals it has', () => {
    const numbers = Array.from({ length: 20_000 }, (_, i) => [i / 100, i / 1000, i * 107_374.18])
    for (const number of numbers.flat()) expect(cell(number)).toBe(String(number))
  })

  test.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['+49 170 1', "'+49 170 1"],
    ['-2+3', "'-2+3"],
    ['@SUM(1)', "'@SUM(1)"],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r'=1"`],
    ['＝1', "'＝1"],
    ['-', "'-"],
    ['-5', '-5'],
    ['+5.25', '+5.25'],
    ['-5e', "'-5e"],
  ])('%j is no formula: %s', (text, written) => expect(cell(text)).toBe(written))

  test.each([
    ['a;=1+1', `"a;'=1+1"`],
    ['a\t@SUM(1)', `"a\t'@SUM(1)"`],
    ['a; "=1+1"', `"a; ""'=1+1"""`],
    ['a;b;+1-2;-3', `"a;b;'+1-2;-3"`],
    ['a\n=1', `"a\n'=1"`],
    ['a\n- one\n- two', '"a\n- one\n- two"'],
    ['a;-5', '"a;-5"'],
    ['a; -5.5 ;b', '"a; -5.5 ;b"'],
    ['a;＝1', `"a;'＝1"`],
    ['a=1;b=2', '"a=1;b=2"'],
  ])('%j begins no formula where other signs separate cells: %s', (text, written) =>
    expect(cell(text)).toBe(written),
  )

  test.each<[Column['type'], string]>([
    ['datetime', '-infinity'],
    ['date', '-infinity'],
    ['time', '-163:53:21'],
    ['time', '-00:00:01.5'],
    ['date', '-0044-03-15'],
  ])('of the type %s, %s is no formula', (type, text) => expect(cell(text, { type })).toBe(text))

  test('of a column of times is a formula where it is none of a time', () =>
    expect(cell('-1+cmd', { type: 'datetime' })).toBe("'-1+cmd"))

  test.each([
    ['2024-01-02 03:04:05', '2024-01-02T03:04:05'],
    ['2024-01-02 03:04:05.678901+00', '2024-01-02T03:04:05.678901+00:00'],
    ['2024-01-02 03:04:05-0330', '2024-01-02T03:04:05-03:30'],
    ['2024-01-02T03:04Z', '2024-01-02T03:04Z'],
    ['infinity', 'infinity'],
    ['2024-13-99 nonsense', '2024-13-99 nonsense'],
  ])('the moment %s is written %s', (text, written) =>
    expect(cell(text, { type: 'datetime' })).toBe(written),
  )

  test('that its column fills up with blanks has none of them', () =>
    expect(cell('ab   ', { isPadded: true })).toBe('ab'))
})

test('lines end as the standard says, and an empty one is the NULL of a single column', () => {
  const { pieces, count } = linesOf([['a', null, 'b', 'no column has this']], ['a', 'b', 'c'])
  expect([Buffer.concat(pieces).toString(), count]).toEqual(['a,,b\r\n', 1])
  const single = linesOf([[null], ['']], ['a'])
  expect(Buffer.concat(single.pieces).toString()).toBe('\r\n""\r\n')
  expect(csvHead(['Name', '=Cost, $'])).toBe('Name,"\'=Cost, $"\r\n')
})

test('lines end with the one that reaches the limit, for which the first does not count', () => {
  const read: string[] = []
  function* rows(): Generator<Value[]> {
    for (const text of ['x'.repeat(100), 'aaaa', 'bbbb', 'cccc', 'dddd']) {
      read.push(text)
      yield [text]
    }
  }
  const { pieces, ...lines } = linesOf(rows(), ['a'], 8)
  expect(lines).toEqual({ count: 3, firstLength: 102, isFull: true })
  expect(Buffer.concat(pieces).toString().slice(102)).toBe('aaaa\r\nbbbb\r\n')
  expect(read).toHaveLength(3)
})

test('many lines are pieces of whole lines, and the first can be told from the others', () => {
  const texts = Array.from({ length: 5000 }, (_, i) => `ünïcode 🦆 ${i}`)
  const rows = texts.map((text): Value[] => [text])
  const { pieces, count, firstLength } = linesOf(rows, ['a'])
  expect(count).toBe(5000)
  expect(pieces.length).toBeGreaterThan(1)
  for (const piece of pieces) expect(Buffer.from(piece).toString().endsWith('\r\n')).toBe(true)
  const all = Buffer.concat(pieces)
  expect(all.toString()).toBe(texts.map((text) => `${text}\r\n`).join(''))
  expect(all.subarray(0, firstLength).toString()).toBe('ünïcode 🦆 0\r\n')
  expect(linesOf([], ['a'])).toEqual({
    ...{ pieces: [], count: 0, firstLength: 0 },
    isFull: false,
  })
})
