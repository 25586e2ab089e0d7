import { expect, test } from 'vitest'
import type { ValueType } from './schema.ts'
import { isStored } from './stored.ts'
import type { Value } from './value.ts'

type Case = [type: ValueType, more: object, held: Value, given: Value]

test.each<Case>([
  ['text', {}, 'a', 'a'],
  ['text', { isPadded: true }, 'a', 'a  '],
  ['integer', {}, 7, 7n],
  ['integer', {}, 9007199254740993n, '9007199254740993'],
  ['decimal', { scale: 2 }, 1.5, '1.50'],
  ['decimal', { scale: 2 }, 1.01, '1.005'],
  ['decimal', {}, '0.1', 0.1],
  ['float', { isSingle: true }, 0.1, Math.fround(0.1)],
  ['float', {}, 0, -0],
  ['boolean', {}, 1, true],
  ['date', {}, '2024-03-05', '2024-03-05'],
  ['time', {}, '10:20:00', '10:20'],
  ['datetime', {}, '2024-03-05 10:20:00', '2024-03-05T10:20'],
  ['datetime', {}, '2024-03-05 00:00:00.000', '2024-03-05'],
  ['datetime', {}, '2024-03-05 10:20:00.120000', '2024-03-05 10:20:00.12'],
  ['datetime', { zoned: true }, '2024-03-05 10:20:00+00', '2024-03-05 10:20Z'],
  ['datetime', { zoned: true }, '2024-03-05 13:50:00+00', '2024-03-05 10:20-0330'],
  ['binary', {}, Uint8Array.of(1), Uint8Array.of(1)],
  ['text', {}, null, null],
])('a column of %s %o that holds %s holds %s', (type, more, held, given) => {
  expect(isStored({ type, ...more }, held, given)).toBe(true)
})

test.each<Case>([
  ['text', {}, 'a', 'A'],
  ['text', {}, 'a', 'a '],
  ['text', {}, '', null],
  ['text', {}, '1', '1.0'],
  ['integer', {}, 9007199254740993n, '9007199254740992'],
  ['integer', {}, 0, null],
  ['decimal', { scale: 2 }, 1.5, 1.51],
  ['decimal', {}, 'abc', 0],
  ['decimal', {}, 1, '1.0'],
  ['decimal', {}, '1.50', 1.5],
  ['float', {}, '', 0],
  ['float', {}, Uint8Array.of(5), 5],
  ['text', {}, Uint8Array.of(1, 2), '1,2'],
  ['boolean', {}, '', false],
  ['datetime', {}, '2024-03-05 10:20:00', '2024-03-05 10:20:00+02:00'],
  ['float', {}, 0.1, Math.fround(0.1)],
  ['boolean', {}, 0, true],
  ['boolean', {}, null, false],
  ['time', {}, '10:20:01', '10:20'],
  ['datetime', {}, '2024-03-05 10:20:00.5', '2024-03-05 10:20:00'],
  ['datetime', {}, '2024-03-05 10:20:10', '2024-03-05 10:20:1'],
  ['datetime', { zoned: true }, '2024-03-05 10:20:00+01', '2024-03-05 10:20Z'],
  ['text', { array: true }, '{1,2}', '{1, 2}'],
  ['binary', {}, Uint8Array.of(1), Uint8Array.of(2)],
])('a column of %s %o that holds %s does not hold %s', (type, more, held, given) => {
  expect(isStored({ type, ...more }, held, given)).toBe(false)
})
