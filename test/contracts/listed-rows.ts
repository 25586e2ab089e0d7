/** Many rows by keys of several columns: found exactly, whatever the columns hold, the same on every engine. */

import { describe, expect, test } from 'vitest'
import type { ValueType } from '../../src/table/source/schema.ts'
import { rowsPredicate } from '../../src/table/selection.ts'
import type { KeyValues, Value } from '../../src/table/source/value.ts'
import { infer } from '../table-of.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { openBench } from './opened.ts'

/** Lists longer than a thousand are found in another way by some servers. */
const ROWS = 2600

const twoDigits = (number: number): string => String(number).padStart(2, '0')
const dayOf = (i: number): string => `2024-${twoDigits(1 + (i % 12))}-${twoDigits(1 + (i % 28))}`

/** A value of each type that may be part of a key, and one that no row holds beside the same number. */
const VALUES: readonly (readonly [
  ValueType,
  (i: number) => readonly [held: Value, other: Value],
])[] = [
  ['text', (i) => [`ä "word" \\ ${i}`, `Ä "word" \\ ${i}`]],
  ['integer', (i) => [2n ** 60n + BigInt(i), 2n ** 60n + BigInt(i) + 1n]],
  ['decimal', (i) => [`${i}.50`, `${i}.75`]],
  ['float', (i) => [i + 0.25, i + 0.5]],
  ['boolean', (i) => [i % 2 === 0, i % 2 !== 0]],
  ['date', (i) => [dayOf(i), dayOf(i + 1)]],
  ['datetime', (i) => [`${dayOf(i)} 10:11:12`, `${dayOf(i)} 10:11:13`]],
]

const tableOf = (type: ValueType, held: (i: number) => Value): FixtureTable => ({
  name: `by_${type}`,
  columns: [
    { name: 'part', type },
    { name: 'number', type: 'integer' },
    { name: 'size', type: 'integer' },
  ],
  key: ['part', 'number'],
  rows: Array.from({ length: ROWS }, (_, i): Value[] => [held(i), i, ROWS - i]),
})

export function listedRowsContract(name: string, open: OpenFixture): void {
  describe(`${name}: many rows by keys of two columns`, () => {
    test.for(VALUES)('one of which is of type %s', async ([type, of]) => {
      const { source, access } = await openBench(open, {
        tables: [tableOf(type, (i) => of(i)[0])],
      })
      const table = await access(`by_${type}`)
      const isHeld = (i: number) => i % 2 === 0
      const keys = Array.from({ length: ROWS }, (_, i): KeyValues => [of(i)[isHeld(i) ? 0 : 1], i])
      const where = rowsPredicate(keys, { access: table, definition: infer(table.table) })
      expect((await source.count(table, where)).count).toBe(ROWS / 2)
      expect((await source.count(table, { op: 'not', of: where })).count).toBe(ROWS / 2)
      const { rows } = await source.page(table, {
        ...{ columns: ['number'], where, size: 3, place: { at: 'first' } },
        sort: [{ column: 'size', descending: false }],
      })
      expect(rows.map(({ values: [number] }) => number)).toEqual([ROWS - 2, ROWS - 4, ROWS - 6])
    })
  })
}
