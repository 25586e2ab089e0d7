import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { accessTo, columnOf, tableOf } from '../../../test/table-of.ts'
import { AppError } from '../../server/app-error.ts'
import { everything } from '../source/predicate.ts'
import type { Count, RowSource } from '../source/row-source.ts'
import { COUNT_BOUND, createTotals } from './totals.ts'

const access = accessTo(tableOf([columnOf('id')]))

/** A source whose counts the test answers one by one. */
function sourceOf() {
  const asked: {
    bound: number | undefined
    answer(count: Count): void
    fail(error: Error): void
  }[] = []
  const signals: (AbortSignal | undefined)[] = []
  let version = '1'
  const source = {
    count: (_access, _where, options = {}) =>
      new Promise((answer, fail) => {
        asked.push({ bound: options.bound, answer, fail })
        signals.push(options.signal)
      }),
    dataVersion: async () => version,
  } satisfies Partial<RowSource>
  return {
    source: source as unknown as RowSource,
    asked,
    signals,
    change: (next: string) => void (version = next),
  }
}

const exact = (count: number): Count => ({ kind: 'exact', count })
const atLeast: Count = { kind: 'atLeast', count: COUNT_BOUND }

let made: ReturnType<typeof sourceOf>
let totals: ReturnType<typeof createTotals>
const find = (key = 'all') => totals.find(access, everything, key)
/** Counts another table each time, so that no count cancels another. */
const findElsewhere = (name: string) =>
  totals.find(accessTo(tableOf([columnOf('id')], { name })), everything, name)
const turn = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
  made = sourceOf()
  totals = createTotals(made.source)
})
afterEach(() => void vi.useRealTimers())

describe('the total', () => {
  test('is exact at once where the count is quick', async () => {
    const found = find()
    await turn()
    made.asked[0]!.answer(exact(5))
    expect(await found).toEqual({ count: exact(5), settled: true })
    expect(made.asked.map(({ bound }) => bound)).toEqual([COUNT_BOUND])
  })

  test('is not waited for longer than a page may take', async () => {
    const found = find()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await found).toEqual({ count: null, settled: false })
    made.asked[0]!.answer(exact(5))
    await turn()
    expect(await find()).toEqual({ count: exact(5), settled: true })
  })

  test('is “at least” until the whole count is there', async () => {
    const found = find()
    await turn()
    made.asked[0]!.answer(atLeast)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await found).toEqual({ count: atLeast, settled: false })
    expect(made.asked.map(({ bound }) => bound)).toEqual([COUNT_BOUND, undefined])
    made.asked[1]!.answer(exact(1_000_000))
    await turn()
    expect(await find()).toEqual({ count: exact(1_000_000), settled: true })
  })

  test('stays what it was where the whole count fails', async () => {
    const found = find()
    await turn()
    made.asked[0]!.answer(atLeast)
    await turn()
    made.asked[1]!.fail(new Error('timeout'))
    expect(await found).toEqual({ count: atLeast, settled: true })
  })

  test('is not known where no count succeeds, and the page is drawn all the same', async () => {
    const found = find()
    await turn()
    made.asked[0]!.fail(new Error('timeout'))
    expect(await found).toEqual({ count: null, settled: true })
  })

  test('is counted once for all who ask for the same', async () => {
    const found = Array.from({ length: 10 }, () => find())
    await turn()
    made.asked[0]!.answer(exact(5))
    expect(await Promise.all(found)).toEqual(found.map(() => ({ count: exact(5), settled: true })))
    expect(made.asked).toHaveLength(1)
  })

  test('of another condition is another one', async () => {
    const found = [find('all'), find('some')]
    await turn()
    made.asked[0]!.answer(exact(5))
    made.asked[1]!.answer(exact(2))
    expect(await Promise.all(found)).toMatchObject([{ count: exact(5) }, { count: exact(2) }])
  })

  test('is counted anew when the data change', async () => {
    const before = find()
    await turn()
    made.asked[0]!.answer(exact(5))
    await before
    made.change('2')
    const after = find()
    await turn()
    made.asked[1]!.answer(exact(6))
    expect(await after).toEqual({ count: exact(6), settled: true })
  })

  test('is forgotten when many others have been asked for', async () => {
    const ask = async (key: string) => {
      const before = made.asked.length
      const found = find(key)
      await turn()
      made.asked[before]?.answer(exact(1))
      await found
      return made.asked.length > before
    }
    expect(await ask('first')).toBe(true)
    expect(await ask('first')).toBe(false)
    for (let at = 0; at < 500; at++) await ask(`other ${at}`)
    expect(await ask('first')).toBe(true)
  })

  test('leaves no timer behind', async () => {
    const found = find()
    await turn()
    made.asked[0]!.answer(exact(5))
    await found
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a count that its actor has typed on from', () => {
  test('is ended at once', async () => {
    const found = [find('g'), find('go'), find('goo')]
    await turn()
    expect(made.signals.map((signal) => signal?.aborted)).toEqual([true, true, false])
    made.asked.slice(0, 2).forEach(({ fail }) => fail(new Error('aborted')))
    made.asked[2]!.answer(exact(3))
    expect(await Promise.all(found)).toEqual([
      { count: null, settled: false },
      { count: null, settled: false },
      { count: exact(3), settled: true },
    ])
  })

  test('goes on where it is of another table or another person', async () => {
    void find('mine')
    void findElsewhere('other table')
    const other = tableOf([columnOf('id')])
    const actor = { ...access.actor, id: 'other' }
    void totals.find({ ...accessTo(other), actor } as typeof access, everything, 'theirs')
    await turn()
    expect(made.signals.map((signal) => signal?.aborted)).toEqual([false, false, false])
  })

  test('is taken up again for a second tab, and neither ends the other any more', async () => {
    void find('one tab')
    void find('another tab')
    await turn()
    made.asked[0]!.fail(new Error('aborted'))
    const again = find('one tab')
    await turn()
    expect(made.signals.map((signal) => signal?.aborted)).toEqual([true, false, false])
    made.asked[1]!.answer(exact(1))
    made.asked[2]!.answer(exact(2))
    expect(await again).toEqual({ count: exact(2), settled: true })
    expect(await find('another tab')).toEqual({ count: exact(1), settled: true })
  })
})

test('a count that was turned away for now is asked for again', async () => {
  const found = find()
  await turn()
  made.asked[0]!.fail(new AppError('BUSY', { retryAfter: 1 }))
  expect(await found).toEqual({ count: null, settled: false })
  const again = find()
  await turn()
  made.asked[1]!.answer(exact(5))
  expect(await again).toEqual({ count: exact(5), settled: true })
})

describe('whole counts', () => {
  /** Asks for a total that exceeds the bound. */
  const wish = async (key: string, find = findElsewhere) => {
    const first = made.asked.length
    const found = find(key)
    await turn()
    made.asked[first]!.answer(atLeast)
    await vi.advanceTimersByTimeAsync(20)
    await found
  }
  const fullCounts = () => made.asked.filter(({ bound }) => bound === undefined)

  test('go one at a time, the latest wish first', async () => {
    for (const key of ['a', 'b', 'c']) await wish(key)
    expect(fullCounts()).toHaveLength(1)
    fullCounts()[0]!.answer(exact(20_001))
    await turn()
    expect(fullCounts()).toHaveLength(2)
    fullCounts()[1]!.answer(exact(20_003))
    await turn()
    expect(await findElsewhere('c')).toEqual({ count: exact(20_003), settled: true })
    expect((await findElsewhere('a')).count).toEqual(exact(20_001))
  })

  test('that wait are bounded: the oldest wish is given up, and can be made anew', async () => {
    for (let at = 0; at <= 21; at++) await wish(`wish ${at}`)
    const before = made.asked.length
    void findElsewhere('wish 2')
    await turn()
    expect(made.asked).toHaveLength(before)
    void findElsewhere('wish 1')
    await turn()
    expect(made.asked).toHaveLength(before + 1)
  })

  test('that nobody asks for any more are given up, and started again when asked for', async () => {
    await wish('typed')
    await vi.advanceTimersByTimeAsync(11_000)
    await wish('typed further')
    expect(made.signals.at(1)?.aborted).toBe(true)
    fullCounts()[0]!.fail(new Error('aborted'))
    await turn()
    expect(fullCounts()).toHaveLength(2)
    const before = made.asked.length
    const again = findElsewhere('typed')
    await turn()
    expect(made.asked.length).toBe(before + 1)
    made.asked[before]!.answer(exact(3))
    expect((await again).count).toEqual(exact(3))
  })
})
