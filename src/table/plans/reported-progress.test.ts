import { expect, test } from 'vitest'
import { furtherBy, reportedProgress } from './reported-progress.ts'

function open(rows: number, saves: () => Promise<void> = async () => undefined) {
  let time = 0
  const saved: number[] = []
  const progress = reportedProgress({
    ...{ rows, now: () => time },
    async save(done) {
      saved.push(done)
      await saves()
    },
  })
  const pass = async (ms: number) => {
    time += ms
    // What is saved settles in between.
    await new Promise(setImmediate)
  }
  return { ...progress, saved, pass }
}

test('it is saved now and then, as a share of the rows, and only further', async () => {
  const { report, saved, pass } = open(2000)
  report(1)
  expect(saved).toEqual([])
  await pass(500)
  for (const done of [100, 200, 300]) report(done)
  await pass(500)
  report(50)
  report(3, 4)
  await pass(500)
  report(9000)
  await pass(500)
  expect(saved).toEqual([100, 1500, 2000])
})

test('one save goes after the other, and what cannot be read is nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { report, end, saved, pass } = open(10, () => promise)
  await pass(500)
  for (const odd of [Number.NaN, -1, -Infinity]) report(odd)
  report(1, 0)
  report(0, 0)
  expect(saved).toEqual([])
  report(10)
  await pass(500)
  report(5)
  let isOver = false
  const over = end().then(() => (isOver = true))
  await pass(500)
  expect(isOver).toBe(false)
  resolve()
  await over
  await pass(500)
  report(7)
  expect(saved).toEqual([10])
})

test('a save that fails ends nothing by itself', async () => {
  const { report, end, saved, pass } = open(10, () =>
    Promise.reject(new Error('It was cancelled.')),
  )
  await pass(500)
  report(3)
  await pass(500)
  report(4)
  await end()
  expect(saved).toEqual([3, 4])
})

test('what its job goes on from stays', () => {
  const step = { checkpoint: { done: 4 }, progress: { done: 4, total: 10 } }
  expect(furtherBy(step, 3)).toEqual({
    ...{ checkpoint: { done: 4 }, progress: { done: 7, total: 10 } },
  })
})
