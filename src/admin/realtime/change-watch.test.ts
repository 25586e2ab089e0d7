import { expect, test } from 'vitest'
import { createClock } from '../../../test/simulator/clock.ts'
import { watchChanges } from './change-watch.ts'

/** A watch over a version that the test sets, on a clock that the test moves. */
function watch() {
  const state = { version: '1', looks: 0, fails: false, throws: false, channels: ['a', 'b'] }
  const told: string[] = []
  /** The sockets that were not told. */
  const excepted: (string | undefined)[] = []
  const reports: unknown[] = []
  const clock = createClock()
  const watching = watchChanges({
    source: {
      async dataVersion() {
        state.looks++
        if (state.fails) throw new Error('away')
        return state.version
      },
    },
    watched: () => state.channels,
    changed(channels, except) {
      if (state.throws) throw new Error('not sent')
      told.push(...channels)
      excepted.push(except)
    },
    later: clock.later,
    report: (error) => void reports.push(error),
  })
  const pass = (ms: number) => clock.runUntil(clock.now() + ms)
  /** Lets the next look happen. */
  const tick = () => pass(500)
  const taken = () => told.splice(0)
  /** How often it looks within that time. */
  async function looksIn(ms: number): Promise<number> {
    const before = state.looks
    await pass(ms)
    return state.looks - before
  }
  return { state, excepted, reports, watching, pass, tick, taken, looksIn }
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
  const { state, pass, tick, taken, watching } = watch()
  await tick()
  await tick()
  taken()
  state.version = '2'
  watching.written()
  state.version = '3'
  watching.written()
  await pass(0)
  expect(taken()).toEqual(['a', 'b'])
  await pass(250)
  expect(taken()).toEqual(['a', 'b'])
  await tick()
  expect(taken()).toEqual([])
})

/** A write of a page that shows what the data had become at that version. */
const by = (socketId: string, version: string) => ({ socketId, version })

test('a write is not told to the socket of its own page, unless somebody else may have written', async () => {
  const { state, excepted, watching, pass, tick } = watch()
  const exceptions = async (...writes: ReturnType<typeof by>[]) => {
    await pass(500)
    excepted.splice(0)
    for (const write of writes) {
      state.version = write.version
      watching.written(write)
    }
    await pass(500)
    return excepted.splice(0)
  }
  await tick()
  for (let time = 2; time < 10; time++)
    expect(await exceptions(by('1.1', `${time}`))).toEqual(['1.1'])
  // The first is told at once, those that come meanwhile together.
  expect(await exceptions(by('1.1', 'a'), by('1.1', 'b'))).toEqual(['1.1', '1.1'])
  expect(await exceptions(by('1.1', 'c'), by('2.2', 'd'), by('1.1', 'e'))).toEqual([
    '1.1',
    undefined,
  ])
  // Behind the admin's back, after the page's view was read.
  state.version = 'f'
  watching.written(by('1.1', 'e'))
  await pass(500)
  expect(excepted.splice(0)).toEqual([undefined])
})

test('what a page has written while the database was away is not told to it afterwards', async () => {
  const { state, excepted, watching, pass, tick } = watch()
  await tick()
  state.fails = true
  watching.written(by('1.1', '2'))
  await tick()
  excepted.splice(0)
  state.fails = false
  state.version = '2'
  await pass(5000)
  expect(excepted).toEqual(['1.1'])
})

test('a write is told even where the version does not say so, and once the database is back', async () => {
  const { state, pass, tick, taken, watching } = watch()
  await tick()
  taken()
  state.fails = true
  watching.written()
  await tick()
  expect(taken()).toEqual([])
  state.fails = false
  await pass(5000)
  expect(taken()).toEqual(['a', 'b'])
  await tick()
  expect(taken()).toEqual([])
})

test('a database that is away is reported once, and looked at less often until it is back', async () => {
  const { state, reports, pass, tick, taken, looksIn } = watch()
  await tick()
  taken()
  expect(await looksIn(10_000)).toBe(20)
  state.fails = true
  expect(await looksIn(10_000)).toBe(2)
  expect(reports).toHaveLength(1)
  state.fails = false
  state.version = '2'
  await pass(5000)
  expect(taken()).toEqual(['a', 'b'])
  expect(await looksIn(10_000)).toBe(20)
})

test('of thousands of writes the first is told at once, and the others together, four times a second', async () => {
  const { state, watching, pass, tick, taken } = watch()
  await tick()
  await tick()
  taken()
  const before = state.looks
  for (let write = 0; write < 1000; write++) {
    state.version = `write ${write}`
    watching.written()
    if (write === 0) {
      await pass(0)
      expect(taken()).toEqual(['a', 'b'])
    }
    await pass(1)
  }
  expect(state.looks - before).toBeLessThanOrEqual(6)
  expect(taken().length / 2).toBeLessThanOrEqual(4)
  state.version = 'last'
  watching.written()
  await pass(250)
  expect(taken().length).toBeGreaterThan(0)
})

test('what could not be told is told by the next look', async () => {
  const { state, reports, pass, tick, taken } = watch()
  await tick()
  await tick()
  taken()
  state.version = '2'
  state.throws = true
  await tick()
  expect([taken(), reports.length]).toEqual([[], 1])
  state.throws = false
  await pass(5000)
  expect(taken()).toEqual(['a', 'b'])
})

test('nothing is looked at once it is closed', async () => {
  const { watching, tick, looksIn } = watch()
  await tick()
  watching.written()
  watching.close()
  expect(await looksIn(10_000)).toBe(0)
})
