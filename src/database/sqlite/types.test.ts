import { expect, test } from 'vitest'
import { openBench } from '../../../test/contracts/opened.ts'
import { openSqliteFixture } from '../../../test/contracts/sqlite-fixture.ts'
import { columnsThatLoseRows } from '../../../test/contracts/walk-types.ts'
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
