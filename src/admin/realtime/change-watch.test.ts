import { expect, test } from 'vitest'
import { watchChanges } from './change-watch.ts'

/** A watch over a version that the test sets, on a clock that the test moves. */
function watch() {
  const state = { version: '1', looks: 0, fails: false, channels: ['a', 'b'] }
  const told: string[] = []
  const reports: unknown[] = []
  let task: (() => void) | undefined
  let pause = 0
  const watching = watchChanges({
    source: {
      async dataVersion() {
        state.looks++
        if (state.fails) throw new Error('away')
        return state.version
      },
    },
    watched: () => state.channels,
    changed: (channels) => void told.push(...channels),
    later(next, delayMs) {
      task = next
      pause = delayMs
      return () => (task = undefined)
    },
    report: (error) => void reports.push(error),
  })
  /** Lets the next look happen. */
  const tick = async () => {
    const next = task
    task = undefined
    next?.()
    // Its promises settle before a new macrotask begins.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const taken = () => told.splice(0)
  return { state, reports, watching, tick, taken, pause: () => pause, isOver: () => !task }
}

test('a change tells every channel that is watched, once', async () => {
  const { state, tick, taken } = watch()
  // Whoever has just joined may have missed something.
  await tick()
  expect(taken()).toEqual(['a', 'b'])
  await tick()
  expect(taken()).toEqual([])
  state.version = '2'
  await tick()
  await tick()
  expect(taken()).toEqual(['a', 'b'])
})

test('who has begun to watch hears of what happens from then on, and of nothing before', async () => {
  const { state, tick, taken, watching } = watch()
  watching.begin()
  await new Promise((resolve) => setImmediate(resolve))
  await tick()
  expect(taken()).toEqual([])
  state.version = '2'
  await tick()
  expect(taken()).toEqual(['a', 'b'])
})

test('where nobody watches, the database is left alone', async () => {
  const { state, tick, taken, watching } = watch()
  state.channels = []
  await tick()
  watching.written()
  expect(state.looks).toBe(0)
  state.channels = ['a']
  await tick()
  expect(taken()).toEqual(['a'])
})

test('a write of the admin is told without waiting, and one that comes meanwhile again', async () => {
  const { state, tick, taken, watching } = watch()
  await tick()
  taken()
  state.version = '2'
  watching.written()
  state.version = '3'
  watching.written()
  await new Promise((resolve) => setImmediate(resolve))
  expect(state.looks).toBe(3)
  expect(taken().length).toBeGreaterThan(0)
  await tick()
  expect(taken()).toEqual([])
})

test('a write is told even where the version does not say so, and once the database is back', async () => {
  const { state, tick, taken, watching } = watch()
  await tick()
  taken()
  state.fails = true
  watching.written()
  await tick()
  expect(taken()).toEqual([])
  state.fails = false
  await tick()
  expect(taken()).toEqual(['a', 'b'])
  await tick()
  expect(taken()).toEqual([])
})

test('a database that is away is reported once, and looked at less often until it is back', async () => {
  const { state, reports, tick, taken, pause } = watch()
  await tick()
  taken()
  const usual = pause()
  state.fails = true
  await tick()
  await tick()
  expect(reports).toHaveLength(1)
  expect(pause()).toBeGreaterThan(usual)
  state.fails = false
  state.version = '2'
  await tick()
  expect(taken()).toEqual(['a', 'b'])
  expect(pause()).toBe(usual)
})

test('nothing is looked at once it is closed', async () => {
  const { watching, isOver } = watch()
  watching.close()
  expect(isOver()).toBe(true)
})
