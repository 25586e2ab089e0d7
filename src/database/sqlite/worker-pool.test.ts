import { expect, test } from 'vitest'
import { AppError } from '../../server/app-error.ts'
import { WorkerPool } from './worker-pool.ts'
import type { Worker } from './worker.ts'

type Asked = {
  readonly message: object
  resolve(answer: unknown): void
  reject(error: unknown): void
}

class FakeWorker implements Worker {
  readonly asked: Asked[] = []
  ended = 0
  isHeld = false
  isDown = false

  ask(message: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.asked.push({ message, resolve, reject })
    return promise
  }

  cancel(): void {
    this.ended++
  }

  isUsable(): boolean {
    return !this.isDown
  }

  hold(isBusy: boolean): void {
    this.isHeld = isBusy
  }

  async close(): Promise<void> {
    this.isDown = true
    this.asked.at(-1)?.reject(new Error('closed'))
  }
}

/** A worker that answers when the test says so. */
function openPool() {
  const opened: FakeWorker[] = []
  const pool = new WorkerPool({
    size: 1,
    queue: 2,
    timeoutMs: 60_000,
    down: () => new AppError('DATABASE_UNAVAILABLE'),
    open: () => {
      const worker = new FakeWorker()
      opened.push(worker)
      return worker
    },
  })
  const asked = (worker: number, requests: number) =>
    expect.poll(() => opened[worker]?.asked.length).toBe(requests)
  return { pool, opened, asked }
}

test('workers are opened when they are needed, and take one request after the other', async () => {
  const { pool, opened, asked } = openPool()
  expect(opened).toHaveLength(0)
  const [first, second] = [pool.ask({ one: 1 }), pool.ask({ two: 2 })]
  await asked(0, 1)
  expect(opened[0]!.isHeld).toBe(true)
  opened[0]!.asked[0]!.resolve('one')
  expect(await first).toBe('one')
  await asked(0, 2)
  opened[0]!.asked[1]!.resolve('two')
  expect(await second).toBe('two')
  expect(opened[0]!.asked.map(({ message }) => message)).toEqual([{ one: 1 }, { two: 2 }])
  expect([opened.length, opened[0]!.isHeld]).toEqual([1, false])
})

test('a worker that goes down takes its request with it, and another takes its place', async () => {
  const { pool, opened, asked } = openPool()
  const [first, second] = [pool.ask({}), pool.ask({})]
  const told = expect(first).rejects.toThrow('gone')
  await asked(0, 1)
  opened[0]!.isDown = true
  opened[0]!.asked[0]!.reject(new Error('gone'))
  await told
  await asked(1, 1)
  opened[1]!.asked[0]!.resolve('two')
  expect(await second).toBe('two')
})

test('a request that is given up keeps its worker until that has really ended it', async () => {
  const { pool, opened, asked } = openPool()
  const controller = new AbortController()
  const [first, second] = [pool.ask({}, { signal: controller.signal }), pool.ask({})]
  await asked(0, 1)
  controller.abort()
  await expect(first).rejects.toBe(controller.signal.reason)
  expect([opened[0]!.ended, opened[0]!.asked.length]).toEqual([1, 1])
  opened[0]!.asked[0]!.resolve('too late')
  await asked(0, 2)
  opened[0]!.asked[1]!.resolve('two')
  expect(await second).toBe('two')
})

test('a request ends when its time is over', async () => {
  const { pool, opened } = openPool()
  await expect(pool.ask({}, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
  expect(opened[0]!.ended).toBe(1)
})

test('where the file was replaced, its workers are', async () => {
  const { pool, opened, asked } = openPool()
  const first = pool.ask({})
  const told = expect(first).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await asked(0, 1)
  pool.reset()
  await told
  opened[0]!.asked[0]!.reject(new Error('ended'))
  const next = pool.ask({})
  await asked(1, 1)
  opened[1]!.asked[0]!.resolve('new')
  expect([await next, opened[0]!.isDown]).toEqual(['new', true])
})
