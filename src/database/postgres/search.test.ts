import { expect, test } from 'vitest'
import type { Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import { search } from './search.ts'
import type { Lane } from './server.ts'

type Asked = {
  readonly lane: Lane
  readonly run: Run
  answer(rows: Value[][]): void
  fail(error: unknown): void
}

/** A database that answers when it is told to. */
function bench(walks: boolean, hasIndex = false) {
  const asked: Asked[] = []
  const waiting: ((asked: Asked) => void)[] = []
  const searching = {
    hasIndex,
    rows: 1e6,
    walks: async () => walks,
    read: (lane: Lane, run: Run) => {
      const { promise, resolve, reject } = Promise.withResolvers<Value[][]>()
      run.signal?.addEventListener('abort', () => reject(run.signal?.reason))
      const one = { lane, run, answer: resolve, fail: reject }
      asked.push(one)
      waiting.shift()?.(one)
      return promise
    },
  }
  const next = () => new Promise<Asked>((resolve) => waiting.push(resolve))
  return { searching, asked, next }
}

test('a search that the planner does not walk for is asked once', async () => {
  const { searching, asked, next } = bench(false)
  const first = next()
  const found = search(searching, {})
  ;(await first).answer([[1]])
  expect(await found).toEqual([[1]])
  expect(asked.map(({ lane }) => lane)).toEqual(['rows'])
})

test.each([
  [false, ['rows', 'search']],
  [true, ['search', 'rows']],
] as const)(
  'with an index: %s, the likelier way goes first, and what comes last is ended',
  async (hasIndex, lanes) => {
    const { searching, asked, next } = bench(true, hasIndex)
    const first = next()
    const found = search(searching, {})
    await first
    const second = await next()
    second.answer([[2]])
    expect(await found).toEqual([[2]])
    expect(asked.map(({ lane }) => lane)).toEqual(lanes)
    expect(asked[0]?.run.signal?.aborted).toBe(true)
  },
)

test('a quick walk is left alone', async () => {
  const { searching, asked, next } = bench(true)
  const first = next()
  const found = search(searching, {})
  ;(await first).answer([[1]])
  expect(await found).toEqual([[1]])
  expect(asked).toHaveLength(1)
})

test('a way that fails leaves the other its chance, and both failing tells of the later', async () => {
  const { searching, next } = bench(true)
  const first = next()
  const found = search(searching, {})
  ;(await first).fail(new Error('No connection.'))
  ;(await next()).answer([[2]])
  expect(await found).toEqual([[2]])
  const again = next()
  const failing = search(searching, {})
  failing.catch(() => undefined)
  ;(await again).fail(new Error('One.'))
  ;(await next()).fail(new Error('Two.'))
  await expect(failing).rejects.toThrow('Two.')
})

test('whoever gives up ends both', async () => {
  const { searching, asked, next } = bench(true)
  const controller = new AbortController()
  const first = next()
  const found = search(searching, { signal: controller.signal })
  found.catch(() => undefined)
  await first
  await next()
  controller.abort()
  await expect(found).rejects.toBe(controller.signal.reason)
  expect(asked.map(({ run }) => run.signal?.aborted)).toEqual([true, true])
})
