import { expect, test } from 'vitest'
import { idsOf, openBench, readPage } from '../../../test/contracts/opened.ts'
import { openSqliteFixture } from '../../../test/contracts/sqlite-fixture.ts'
import { columnsThatLoseRows } from '../../../test/contracts/walk-types.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { Value } from '../../table/source/value.ts'

const VALUES: readonly Value[] = [
  ...[null, -Infinity, Infinity, -1.5, 0, 5e-324, 1e300, 2n ** 63n - 1n, -(2n ** 63n)],
  ...['', ' ', 'a', 'A', 'é', '😀', '0', new Uint8Array(), new Uint8Array([0, 255])],
]
const TYPES = [
  ...(['text', 'integer', 'decimal', 'float', 'boolean', 'date', 'datetime', 'time'] as const),
  ...(['json', 'binary'] as const),
]

test('columns of every type page both ways without loss, whatever they hold', async () => {
  const bench = await openBench(openSqliteFixture, {
    tables: [
      {
        name: 't',
        columns: [
          { name: 'id', type: 'integer' },
          ...TYPES.map((type) => ({ name: type, type, nullable: true })),
        ],
        key: ['id'],
        indexes: [['float'], ['text', 'id']],
        rows: Array.from({ length: 60 }, (_, id) => [
          id,
          ...TYPES.map((_, i) => VALUES[(id * (i + 1)) % VALUES.length]!),
        ]),
      },
    ],
  })
  expect(await columnsThatLoseRows(bench.source, 't')).toEqual([])
})

/** A table whose second column holds these values. */
const holding = (declared: string, values: readonly Value[]) =>
  openBench(openSqliteFixture, {
    tables: [
      {
        name: 't',
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'v', type: 'text', nullable: true, declared },
        ],
        key: ['id'],
        rows: values.map((value, id) => [id, value]),
      },
    ],
    views: [{ name: 'w', of: 't' }],
  })

test.each(['t', 'w'])(
  'in a column that converts nothing, of %s, texts and numbers are found and added up',
  async (name) => {
    const texts = await holding('blob', ['a', 'Ab', '5', null])
    const t = await texts.access(name)
    const { source } = texts
    const found = async (where: Predicate, access = t) => {
      const { rows } = await readPage(source, access, { columns: ['id'], where })
      return rows.map(({ values }) => values[0])
    }
    expect(await found({ op: 'contains', column: 'v', text: 'A' })).toEqual([0, 1])
    expect(await found({ op: 'eq', column: 'v', value: '5' })).toEqual([2])
    const numbers = await holding('', [5, 7.5, null])
    const sums = await numbers.source.sums(await numbers.access(name), everything, ['v'])
    expect(sums).toEqual([{ sum: '12.5', count: 2 }])
    // What the view or the table holds beside texts is found by its digits.
    const mixed = await holding('', ['a', 5, '5', 7])
    const where = { op: 'eq', column: 'v', value: '5' } as const
    const access = await mixed.access(name)
    const { rows } = await readPage(mixed.source, access, { columns: ['id'], where })
    expect(rows.map(({ values }) => values[0])).toEqual([1, 2])
  },
)

test('a text in a column of numbers is in no range', async () => {
  const { source, access } = await holding('integer', [5, 7, 'unknown', null])
  const t = await access('t')
  expect(await idsOf(source, t, { op: 'gte', column: 'v', value: 6 })).toEqual([1])
  expect(await idsOf(source, t, { op: 'lte', column: 'v', value: 6 })).toEqual([0])
})

test('what follows a NUL character is shown and counted', async () => {
  const { source, access } = await holding('text', [`a\0${'b'.repeat(300)}`])
  const cut = { columns: ['v'], length: 200 }
  const { rows } = await readPage(source, await access('t'), { cut })
  expect(rows[0]?.values[1]).toBe(`a\0${'b'.repeat(198)}`)
  expect(rows[0]?.lengths?.get(1)).toBe(302)
})
