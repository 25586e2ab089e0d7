/** The place of a row in its list is told where it costs little, and never guessed. */

import { expect, test } from 'vitest'
import { accessTo, columnOf, tableOf } from '../../../test/table-of.ts'
import { everything } from '../source/predicate.ts'
import type { Count } from '../source/row-source.ts'
import { findPlace } from './place.ts'

type Found = { counted: Count; rank?: number; known?: Count | null }

async function place({ counted, rank, known = null }: Found) {
  const asked: string[] = []
  const source = {
    dataVersion: () => Promise.resolve('1'),
    count: () => (asked.push('count'), Promise.resolve(counted)),
    rank: () => (asked.push('rank'), Promise.resolve(rank)),
  }
  const access = accessTo(tableOf([columnOf('id')]))
  const list = { access, where: everything, sort: [], key: [1], policy: '1' }
  return { found: await findPlace({ source, totals: { known: () => known } }, list, {}), asked }
}

const exact = (count: number): Count => ({ kind: 'exact', count })
const atLeast: Count = { kind: 'atLeast', count: 10_000 }

test('a short list is counted', async () => {
  const { found } = await place({ counted: exact(48), rank: 7 })
  expect(found).toEqual({ number: 7, total: 48 })
})

test('a long one is not, but its known count is used', async () => {
  expect(await place({ counted: atLeast })).toEqual({ found: null, asked: ['count'] })
  expect(await place({ counted: atLeast, known: exact(48_213), rank: 7 })).toEqual({
    ...{ found: { number: 7, total: 48_213 }, asked: ['rank'] },
  })
})

test('of millions of rows, nobody goes through those before it', async () => {
  const { found, asked } = await place({ counted: atLeast, known: exact(2_000_000), rank: 7 })
  expect([found, asked]).toEqual([null, []])
})

test('a row that the list does not hold, or one past its count, has no place', async () => {
  expect((await place({ counted: exact(48) })).found).toBeNull()
  expect((await place({ counted: exact(48), rank: 49 })).found).toBeNull()
})
