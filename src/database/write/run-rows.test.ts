/** How many statements it takes to write many rows with values of their own. */

import { expect, test } from 'vitest'
import { openUnits } from '../../../test/sqlite-unit.ts'
import type { RowChange } from '../../table/source/write-unit.ts'

const ROWS = 1000

const LIST = `create table list (id integer primary key, n integer not null, place integer unique);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    insert into list select i, i, i from n`

const each = (of: (id: number) => RowChange): RowChange[] =>
  Array.from({ length: ROWS }, (_, i) => of(i + 1))

test('a thousand rows with values of their own are written by a dozen statements', () => {
  const write = openUnits(LIST)
  const rows = each((id) => ({ update: [id], set: { n: id * 7 }, expect: { n: id } }))
  // One reads what they hold before, and one what they hold after.
  expect(write(rows)).toMatchObject({ count: ROWS / 100 + 2, isDone: true })
})

test('values that many rows get alike take no more, and those that rows swap take twice as many', () => {
  const write = openUnits(LIST)
  expect(write(each((id) => ({ update: [id], set: { n: id % 3 } })))).toMatchObject({
    ...{ count: ROWS / 100 + 2, isDone: true },
  })
  const swaps = each((id) => ({ update: [id], set: { place: (id % ROWS) + 1 } }))
  expect(write(swaps)).toMatchObject({ count: (2 * ROWS) / 100 + 2, isDone: true })
})

test('as many new rows, and as many that are deleted', () => {
  const write = openUnits(LIST)
  const { count, isDone } = write([
    ...each((id) => ({ delete: [id], expect: { n: id } })),
    ...each((id) => ({ insert: { n: id, place: id } })),
  ])
  expect(isDone).toBe(true)
  expect(count).toBeLessThanOrEqual((2 * ROWS) / 100 + 3)
})

const PLACES = `create table list (id integer primary key, place integer not null unique);
  insert into list values (1, 1), (2, 2), (3, 2.5)`

const SWAP: RowChange[] = [
  { update: [1], set: { place: 2 } },
  { update: [2], set: { place: 1 } },
]

test('rows swap values in a column that holds fractions, too', () => {
  expect(openUnits(PLACES)(SWAP)).toMatchObject({ isDone: true })
})

test('where texts stand among the numbers, it is the database that refuses', () => {
  const write = openUnits(`${PLACES}, (4, 'last')`)
  expect(() => write(SWAP)).toThrow('UNIQUE')
})
