import { expect, test } from 'vitest'
import type { KeyValues } from '../source/value.ts'
import { compareKeys } from './difference.ts'

/** Keys in chunks; `read` is told how many were taken. */
async function* chunks(
  keys: readonly number[],
  size = 3,
  read?: (count: number) => void,
): AsyncGenerator<readonly KeyValues[]> {
  for (let from = 0; from < keys.length; from += size) {
    read?.(from + size)
    yield keys.slice(from, from + size).map((key) => [key])
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const keys = (...of: number[]) => of.map((key) => [key])

test('what has come and gone is told, wherever it stands', async () => {
  for (const [now, sealed, came, went] of [
    [[1, 2, 3], [1, 2, 3], [], []],
    [[0, 1, 2, 9], [1, 2, 3], [0, 9], [3]],
    [[], [1, 2, 3, 4], [], [1, 2, 3, 4]],
    [range(0, 9), [8], range(0, 8), []],
    [
      [5, 6, 7, 8],
      [1, 2, 3, 4, 8],
      [5, 6, 7],
      [1, 2, 3, 4],
    ],
    [[10, 11], range(0, 12), [], range(0, 10)],
  ] as const)
    expect(await compareKeys(chunks(now), chunks(sealed))).toEqual({
      came: { count: came.length, first: keys(...came) },
      went: { count: went.length, first: keys(...went) },
      isCut: false,
    })
})

test('of many keys the first are kept, and no more are held than it takes', async () => {
  const [now, sealed] = [range(0, 3000), range(0, 3000).filter((key) => key % 3 > 0)]
  const scattered = await compareKeys(chunks(now), chunks(sealed), 10)
  expect(scattered).toMatchObject({ came: { count: 1000 }, went: { count: 0 }, isCut: false })
  expect(scattered.came.first).toHaveLength(20)
  const behind = await compareKeys(chunks(range(0, 3000)), chunks([0, 1]), 10)
  expect(behind).toMatchObject({ came: { count: 2998 }, went: { count: 0 }, isCut: false })
})

test('of sides that have nothing in common for long, it is told that there may be more', async () => {
  let read = 0
  const now = chunks(range(5000, 9000), 3, (count) => void (read = count))
  const found = await compareKeys(now, chunks([...range(0, 5000), 9000]), 10)
  expect(found).toMatchObject({ isCut: true })
  expect(read).toBeLessThan(20)
})
