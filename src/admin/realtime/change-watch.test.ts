import { expect, test } from 'vitest'
import { createClock } from '../../../test/simulator/clock.ts'
import type { WriteWatch, WrittenTables } from '../../table/source/write-log.ts'
import { watchChanges } from './change-watch.ts'

type Log = { known: WrittenTables; others: WrittenTables; fails: boolean }

/** A log that has what the test says, once. */
const watchOf = (log: Log): WriteWatch => ({
  async known() {
    const { known } = log
    log.known = []
    return known
  },
  async others() {
    if (log.fails) throw new Error('away')
    const { others } = log
    log.others = []
    return others
  },
})

/** A watch over a version that the test sets, on a clock that the test moves. Without a `log`, it has none. */
function watch(log?: Log) {
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
      ...(log && { writes: { watch: () => watchOf(log), onWrite: () => {}, add: () => {} } }),
    },
    concernedBy: (tables) => (channel) => tables.includes(channel),
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
const by = (socketId: string, version: string) => ({ by: { socketId, version } })

test('a write is not told to the socket of its own page, unless somebody else may have written', async () => {
  const { state, excepted, watching, pass, tick } = watch()
  const exceptions = async (...writes: ReturnType<typeof by>[]) => {
    await pass(500)
    excepted.splice(0)
    for (const write of writes) {
      state.version = write.by.version
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

/** A watch over a log that has nothing yet, once it knows the version. */
async function watchLogged() {
  const log: Log = { known: [], others: [], fails: false }
  const all = watch(log)
  await all.tick()
  await all.tick()
  all.taken()
  return { ...all, log }
}

test('a write of the log is told to its tables alone, and one of somebody else to what it may concern', async () => {
  const { state, log, watching, tick, taken } = await watchLogged()
  Object.assign(log, { known: ['a', 'c'] })
  state.version = '2'
  watching.written({ isLogged: true })
  await tick()
  expect(taken()).toEqual(['a'])
  // Without a word of anybody, as after a step of a job.
  Object.assign(log, { known: ['b'] })
  state.version = '3'
  await tick()
  expect(taken()).toEqual(['b'])
  Object.assign(log, { known: ['a'], others: ['b'] })
  state.version = '4'
  await tick()
  expect(taken()).toEqual(['a', 'b'])
  Object.assign(log, { known: ['a'], others: 'any' })
  state.version = '5'
  await tick()
  expect(taken()).toEqual(['a', 'a', 'b'])
})

test('of a version that says nothing, nobody hears', async () => {
  const { state, tick, taken } = await watchLogged()
  state.version = '2'
  await tick()
  expect(taken()).toEqual([])
})

test('of thousands of writes that concern nobody, few are looked at', async () => {
  const { state, log, watching, pass, tick, taken } = await watchLogged()
  const before = state.looks
  for (let write = 0; write < 1000; write++) {
    log.known = ['c']
    state.version = `write ${write}`
    watching.written({ isLogged: true })
    await pass(1)
  }
  await tick()
  expect([state.looks - before < 10, taken()]).toEqual([true, []])
})

test('a write that the log does not have may be of any table, also with one that it has', async () => {
  const { log, watching, tick, taken } = await watchLogged()
  watching.written()
  await tick()
  expect(taken()).toEqual(['a', 'b'])
  log.known = ['a']
  watching.written({ isLogged: true })
  watching.written({ isLogged: true })
  watching.written()
  await tick()
  await tick()
  expect(taken()).toEqual(['a', 'a', 'b'])
})

test('the page that has written is told what somebody else may have written meanwhile', async () => {
  const { state, log, excepted, watching, tick } = await watchLogged()
  excepted.splice(0)
  Object.assign(log, { known: ['a'], others: ['a'] })
  state.version = '2'
  watching.written({ ...by('1.1', '2'), isLogged: true })
  await tick()
  expect(excepted.splice(0)).toEqual(['1.1', undefined])
})

test('what the database tells of is looked for, whatever the version says', async () => {
  const { log, watching, tick, taken } = await watchLogged()
  log.others = ['b']
  watching.noticed()
  await tick()
  expect(taken()).toEqual(['b'])
})

test('after a look that failed half-way, any table may have been written', async () => {
  const { state, log, pass, tick, taken } = await watchLogged()
  Object.assign(log, { known: ['c'], fails: true })
  state.version = '2'
  await tick()
  expect(taken()).toEqual([])
  log.fails = false
  await pass(5000)
  expect(taken()).toEqual(['a', 'b'])
  state.version = '3'
  await tick()
  expect(taken()).toEqual([])
})

test('who has begun to watch hears nothing of what the log had before', async () => {
  const log: Log = { known: ['a'], others: 'any', fails: false }
  const { state, watching, tick, taken } = watch(log)
  watching.begin()
  await tick()
  expect(taken()).toEqual([])
  log.known = ['b']
  state.version = '2'
  await tick()
  expect(taken()).toEqual(['b'])
})
