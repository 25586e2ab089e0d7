import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { accessTo, columnOf, tableOf } from '../../test/table-of.ts'
import { everything } from './predicate.ts'
import type { Count, RowSource } from './row-source.ts'
import { COUNT_BOUND, createTotals } from './totals.ts'

const access = accessTo(tableOf([columnOf('id')]))

/** Counts that the test answers when it likes. */
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

describe('whole counts', () => {
  /** Asks for a total whose bounded count does not suffice. */
  const wish = async (key: string) => {
    const first = made.asked.length
    const found = find(key)
    await turn()
    made.asked[first]!.answer(atLeast)
    await vi.advanceTimersByTimeAsync(20)
    await found
  }
  const wholes = () => made.asked.filter(({ bound }) => bound === undefined)

  test('go one at a time, the latest wish first', async () => {
    for (const key of ['a', 'b', 'c']) await wish(key)
    expect(wholes()).toHaveLength(1)
    wholes()[0]!.answer(exact(20_001))
    await turn()
    expect(wholes()).toHaveLength(2)
    wholes()[1]!.answer(exact(20_003))
    await turn()
    expect(await find('c')).toEqual({ count: exact(20_003), settled: true })
    expect((await find('a')).count).toEqual(exact(20_001))
  })

  test('that nobody asks for any more are given up, and started again when asked for', async () => {
    await wish('typed')
    await vi.advanceTimersByTimeAsync(11_000)
    await wish('typed further')
    expect(made.signals.at(1)?.aborted).toBe(true)
    wholes()[0]!.fail(new Error('aborted'))
    await turn()
    expect(wholes()).toHaveLength(2)
    const before = made.asked.length
    const again = find('typed')
    await turn()
    expect(made.asked.length).toBe(before + 1)
    made.asked[before]!.answer(exact(3))
    expect((await again).count).toEqual(exact(3))
  })
})
