import { expect, test, vi } from 'vitest'
import { AppError } from '../../server/app-error.ts'
import { briefly, race, type Way } from './walk-or-scan.ts'

/** A way that the test answers, and that records whether it was cancelled. */
function way<T>(): Way<T> & { resolve(value: T): void; reject(error: unknown): void } {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const go: Way<T> = vi.fn(({ signal }) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
    return promise
  })
  return Object.assign(go, { resolve, reject })
}

const started = (one: Way<unknown>) => vi.waitUntil(() => vi.mocked(one).mock.calls.length > 0)
const signalOf = (one: Way<unknown>) => vi.mocked(one).mock.calls[0]?.[0].signal

test('the second way does not set out where the first is there in time', async () => {
  const [first, second] = [way<number>(), way<number>()]
  const found = race(first, second, 60_000, {})
  first.resolve(1)
  expect(await found).toBe(1)
  expect(second).not.toHaveBeenCalled()
})

test.each([0, 1])(
  'the way that is there first is the answer, and the other is ended: %i',
  async (winner) => {
    const ways = [way<number>(), way<number>()] as const
    const found = race(...ways, 1, { timeoutMs: 7 })
    await started(ways[1])
    ways[winner]!.resolve(winner)
    expect(await found).toBe(winner)
    expect(signalOf(ways[1 - winner]!)?.aborted).toBe(true)
    expect(vi.mocked(ways[1]).mock.calls[0]?.[0].timeoutMs).toBe(7)
  },
)

test('a way that fails leaves the other its chance, at once', async () => {
  const [first, second] = [way<number>(), way<number>()]
  const found = race(first, second, 60_000, {})
  first.reject(new Error('no connection'))
  await started(second)
  second.resolve(2)
  expect(await found).toBe(2)
})

test('where both fail, the later failure is told', async () => {
  const [first, second] = [way<number>(), way<number>()]
  const found = race(first, second, 0, {})
  const told = expect(found).rejects.toThrow('too late')
  await started(second)
  second.reject(new Error('no connection'))
  await vi.waitFor(() => expect(signalOf(first)?.aborted).toBe(false))
  first.reject(new Error('too late'))
  await told
})

test('whoever asked can end both', async () => {
  const [first, second] = [way<number>(), way<number>()]
  const asking = new AbortController()
  const found = race(first, second, 0, { signal: asking.signal })
  const ended = expect(found).rejects.toThrow('typed on')
  await started(second)
  asking.abort(new Error('typed on'))
  await ended
  expect([signalOf(first)?.aborted, signalOf(second)?.aborted]).toEqual([true, true])
})

test('a way that gave up by itself is never the answer', async () => {
  const timeout = () => Promise.reject(new AppError('QUERY_TIMEOUT'))
  const busy = () => Promise.reject(new AppError('BUSY'))
  await expect(race(busy, briefly(timeout, 10), 0, {})).rejects.toMatchObject({ code: 'BUSY' })
  await expect(race(briefly(timeout, 10), busy, 0, {})).rejects.toMatchObject({ code: 'BUSY' })
})

test('a short time of the question itself counts, and running out of it is told', async () => {
  const limits: (number | undefined)[] = []
  const late: Way<never> = ({ timeoutMs }) => {
    limits.push(timeoutMs)
    return Promise.reject(new AppError('QUERY_TIMEOUT'))
  }
  await expect(
    race(briefly(late, 10), briefly(late, 10), 0, { timeoutMs: 7 }),
  ).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
  expect(limits).toEqual([7, 7])
})
