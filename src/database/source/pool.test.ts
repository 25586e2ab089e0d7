import { describe, expect, test } from 'vitest'
import { AppError } from '../../server/app-error.ts'
import type { PoolOptions } from './pool-options.ts'
import { Pool } from './pool.ts'

class FakeConnection {
  isLost = false
  isClosed = false
  readonly ended = Promise.withResolvers<never>()

  constructor() {
    this.ended.promise.catch(() => undefined)
  }
}

const KILLED = new Error('killed')
const SOON = { timeoutMs: 60_000 }

function poolOf(options: Partial<PoolOptions<FakeConnection>> = {}) {
  const made: FakeConnection[] = []
  const connect = options.connect ?? (async () => new FakeConnection())
  const pool = new Pool<FakeConnection>({
    close: async (connection) => void (connection.isClosed = true),
    isUsable: ({ isLost }) => !isLost,
    async cancel(connection, work) {
      connection.ended.reject(KILLED)
      return work.then(
        () => false,
        (error: unknown) => error === KILLED,
      )
    },
    isLost: (error) => error instanceof Error && error.message === 'lost',
    isRefused: (error) => error instanceof Error && error.message === 'refused',
    size: 2,
    queue: 2,
    ...options,
    connect: async () => {
      const connection = await connect()
      made.push(connection)
      return connection
    },
  })
  return { pool, made }
}

const held = () => Promise.withResolvers<string>()

describe('connections', () => {
  test('are made as they are needed, and used again, the last one first', async () => {
    const { pool, made } = poolOf()
    for (let i = 0; i < 5; i++) expect(await pool.use(async () => i, SOON)).toBe(i)
    expect(made).toHaveLength(1)
    const [a, b] = [held(), held()]
    const uses = [pool.use(() => a.promise, SOON), pool.use(() => b.promise, SOON)]
    await expect.poll(() => made.length).toBe(2)
    a.resolve('a')
    await uses[0]
    b.resolve('b')
    await uses[1]
    expect(await pool.use(async (connection) => connection, SOON)).toBe(made[1])
  })

  test('that were being made when trust in the server was lost are not used', async () => {
    const making = Promise.withResolvers<void>()
    const { pool, made } = poolOf({
      connect: async () => {
        await making.promise
        return new FakeConnection()
      },
    })
    const used = pool.use(async (connection) => connection, SOON)
    pool.evict()
    making.resolve()
    expect(await used).toBe(made[1])
    expect(made.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  test('are never more than allowed, and the rest is served in its turn', async () => {
    const { pool, made } = poolOf()
    const works = [held(), held(), held()]
    const begun: number[] = []
    const uses = works.map((work, i) =>
      pool.use(() => {
        begun.push(i)
        return work.promise
      }, SOON),
    )
    works[0]!.resolve('a')
    expect(await uses[0]).toBe('a')
    works[1]!.resolve('b')
    works[2]!.resolve('c')
    expect(await Promise.all(uses)).toEqual(['a', 'b', 'c'])
    expect([begun, made.length]).toEqual([[0, 1, 2], 2])
  })

  test('that are lost are not used again, whether busy or idle', async () => {
    const { pool, made } = poolOf({ size: 1 })
    await pool.use(async (connection) => void (connection.isLost = true), SOON)
    await pool.use(async (connection) => expect(connection).not.toBe(made[0]), SOON)
    made[1]!.isLost = true
    await pool.use(async (connection) => expect(connection).toBe(made[2]), SOON)
    expect(made.map(({ isClosed }) => isClosed)).toEqual([true, true, false])
  })

  test('that are idle are not trusted where another one is lost', async () => {
    const { pool, made } = poolOf()
    const work = held()
    const uses = [pool.use(() => work.promise, SOON), pool.use(() => work.promise, SOON)]
    await expect.poll(() => made.length).toBe(2)
    work.resolve('done')
    await Promise.all(uses)
    const failing = pool.use(() => Promise.reject(new Error('lost')), SOON)
    await expect(failing).rejects.toThrow('lost')
    await expect.poll(() => made.map(({ isClosed }) => isClosed)).toEqual([true, true])
    expect(await pool.use(async () => 'again', SOON)).toBe('again')
  })

  test('that are not trusted any more are replaced once they are free', async () => {
    const { pool, made } = poolOf({ size: 1 })
    const work = held()
    const use = pool.use(() => work.promise, SOON)
    await expect.poll(() => made.length).toBe(1)
    pool.evict()
    work.resolve('done')
    expect(await use).toBe('done')
    expect(await pool.use(async (connection) => connection, SOON)).toBe(made[1])
  })

  test('that nobody needs for a while are closed', async () => {
    const { pool, made } = poolOf({ idleMs: 1 })
    await pool.use(async () => 1, SOON)
    await expect.poll(() => made[0]?.isClosed).toBe(true)
    expect(pool.count).toBe(0)
  })
})

describe('who waits', () => {
  test('is told to come back where the queue is full', async () => {
    const { pool } = poolOf()
    const work = held()
    const uses = Array.from({ length: 4 }, () => pool.use(() => work.promise, SOON))
    const late = pool.use(async () => 'late', SOON)
    await expect(late).rejects.toMatchObject({ code: 'BUSY', retryAfter: 1 })
    work.resolve('done')
    expect(await Promise.all(uses)).toHaveLength(4)
  })

  test('too long is told to come back: it is not their query that took the time', async () => {
    const { pool, made } = poolOf({ size: 1 })
    const work = held()
    const use = pool.use(() => work.promise, SOON)
    await expect.poll(() => made.length).toBe(1)
    const waiting = pool.use(async () => 'never', { timeoutMs: 5 })
    await expect(waiting).rejects.toMatchObject({ code: 'BUSY', retryAfter: 1 })
    work.resolve('done')
    expect(await use).toBe('done')
  })

  test('and gives up makes room for the next, and is never begun', async () => {
    const { pool } = poolOf({ size: 1, queue: 1 })
    const work = held()
    const use = pool.use(() => work.promise, SOON)
    const controller = new AbortController()
    let isBegun = false
    const given = pool.use(async () => (isBegun = true), { ...SOON, signal: controller.signal })
    controller.abort()
    await expect(given).rejects.toBe(controller.signal.reason)
    const next = pool.use(async () => 'next', SOON)
    work.resolve('done')
    expect([await use, await next, isBegun]).toEqual(['done', 'next', false])
  })

  test('is told why no connection can be made, and that is not remembered', async () => {
    let isDown = true
    const { pool } = poolOf({
      connect: async () => {
        if (isDown) throw new AppError('DATABASE_UNAVAILABLE')
        return new FakeConnection()
      },
    })
    const uses = [pool.use(async () => 1, SOON), pool.use(async () => 2, SOON)]
    for (const use of uses)
      await expect(use).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    isDown = false
    expect(await pool.use(async () => 3, SOON)).toBe(3)
  })

  test('is not told of a connection that failed for somebody before', async () => {
    const failing = Promise.withResolvers<FakeConnection>()
    let asked = 0
    const { pool } = poolOf({
      connect: () => (++asked === 2 ? failing.promise : Promise.resolve(new FakeConnection())),
    })
    const work = held()
    const first = pool.use(() => work.promise, SOON)
    const second = pool.use(async () => 'second', SOON)
    await expect.poll(() => asked).toBe(2)
    work.resolve('first')
    expect([await first, await second]).toEqual(['first', 'second'])
    const [busy, another] = [held(), held()]
    const uses = [pool.use(() => busy.promise, SOON), pool.use(() => another.promise, SOON)]
    failing.reject(new Error('ended as it was made'))
    busy.resolve('third')
    another.resolve('fourth')
    expect(await Promise.all(uses)).toEqual(['third', 'fourth'])
  })

  test('shares the connections that there are where the server gives no more', async () => {
    let given = 0
    const { pool } = poolOf({
      size: 5,
      queue: 10,
      connect: async () => {
        if (++given > 1) throw new Error('refused')
        return new FakeConnection()
      },
    })
    const work = held()
    const first = pool.use(() => work.promise, SOON)
    const others = [pool.use(async () => 'b', SOON), pool.use(async () => 'c', SOON)]
    work.resolve('a')
    expect(await Promise.all([first, ...others])).toEqual(['a', 'b', 'c'])
  })
})

describe('people', () => {
  const by = (person: string) => ({ ...SOON, person })

  test('take turns, however much each of them asks for', async () => {
    const { pool } = poolOf({ size: 1, queue: 10 })
    const work = held()
    const order: string[] = []
    const use = pool.use(() => work.promise, by('ana'))
    const uses = ['ana 1', 'ana 2', 'ana 3', 'bo 1', 'bo 2', 'cy 1'].map((name) =>
      pool.use(async () => order.push(name), by(name.split(' ')[0]!)),
    )
    work.resolve('done')
    await Promise.all([use, ...uses])
    expect(order).toEqual(['bo 1', 'cy 1', 'ana 1', 'bo 2', 'ana 2', 'ana 3'])
  })

  test('wait in queues of their own: one that is full turns nobody else away', async () => {
    const { pool } = poolOf({ size: 1, queue: 2 })
    const work = held()
    const use = pool.use(() => work.promise, by('ana'))
    const waiting = [1, 2].map((i) => pool.use(async () => i, by('ana')))
    const refused = pool.use(async () => 3, by('ana'))
    await expect(refused).rejects.toMatchObject({ code: 'BUSY', retryAfter: 1 })
    const other = pool.use(async () => 'other', by('bo'))
    work.resolve('done')
    expect(await Promise.all([use, ...waiting, other])).toEqual(['done', 1, 2, 'other'])
  })

  test('are turned away where a crowd waits', async () => {
    const { pool } = poolOf({ size: 1, queue: 1 })
    const work = held()
    const use = pool.use(() => work.promise, by('ana'))
    const crowd = Array.from({ length: 16 }, (_, i) => pool.use(async () => i, by(`person ${i}`)))
    await expect(pool.use(async () => 16, by('late'))).rejects.toMatchObject({ code: 'BUSY' })
    work.resolve('done')
    await Promise.all([use, ...crowd])
  })

  test('with several connections give the newest up to whoever has none, and begin again', async () => {
    const { pool } = poolOf({ isRepeatable: true, queue: 10 })
    const begun: string[] = []
    const ends = { first: held(), second: held() }
    const long = (name: keyof typeof ends) =>
      pool.use((connection) => {
        const isAgain = begun.includes(name)
        begun.push(name)
        return isAgain
          ? ends[name].promise
          : Promise.race([ends[name].promise, connection.ended.promise])
      }, by('ana'))
    const uses = [long('first'), long('second')]
    await expect.poll(() => begun).toEqual(['first', 'second'])
    const later = pool.use(async () => begun.push('ana’s next'), by('ana'))
    await pool.use(async () => begun.push('bo'), by('bo'))
    await expect.poll(() => begun).toEqual(['first', 'second', 'bo', 'second'])
    ends.first.resolve('first')
    ends.second.resolve('second')
    expect(await Promise.all(uses)).toEqual(['first', 'second'])
    await later
    expect(begun).toEqual(['first', 'second', 'bo', 'second', 'ana’s next'])
  })

  test('have half of the connections at most, and their others wait', async () => {
    const { pool } = poolOf({ size: 6, queue: 2 })
    const work = held()
    let begun = 0
    const hold = (person: string) =>
      pool.use(() => {
        begun++
        return work.promise
      }, by(person))
    const uses = Array.from({ length: 5 }, () => hold('ana'))
    await expect.poll(() => begun).toBe(3)
    await expect(hold('ana')).rejects.toMatchObject({ code: 'BUSY' })
    uses.push(hold('bo'), hold('bo'))
    await expect.poll(() => begun).toBe(5)
    work.resolve('done')
    await Promise.all(uses)
    expect(begun).toBe(7)
  })

  test('go on with another connection where one of their share is lost', async () => {
    const { pool, made } = poolOf({ size: 4, queue: 2 })
    const [work, lost] = [held(), held()]
    const others = ['bo', 'cy'].map((person) => pool.use(() => work.promise, by(person)))
    const uses = [1, 2].map(() => pool.use(() => lost.promise, by('ana')))
    await expect.poll(() => made.length).toBe(4)
    work.resolve('done')
    await Promise.all(others)
    const waiting = pool.use(async () => 'waited', by('ana'))
    for (const connection of made) connection.isLost = true
    lost.resolve('lost')
    await Promise.all(uses)
    expect(await waiting).toBe('waited')
  })

  test('keep their only connection, and work that cannot be repeated', async () => {
    for (const [people, isRepeatable] of [
      [['ana', 'bo'], true],
      [['ana', 'ana'], false],
    ] as const) {
      const { pool } = poolOf({ isRepeatable })
      const work = held()
      let begun = 0
      const uses = people.map((person) =>
        pool.use(() => {
          begun++
          return work.promise
        }, by(person)),
      )
      await expect.poll(() => begun).toBe(2)
      const waiting = pool.use(async () => 'cy', { person: 'cy', timeoutMs: 30 })
      await expect(waiting).rejects.toMatchObject({ code: 'BUSY' })
      work.resolve('done')
      expect([await Promise.all(uses), begun]).toEqual([['done', 'done'], 2])
    }
  })

  test('wait until the server’s own work is done', async () => {
    const { pool } = poolOf({ size: 1, queue: 10 })
    const work = held()
    const order: string[] = []
    const use = pool.use(() => work.promise, by('ana'))
    const person = pool.use(async () => order.push('bo'), by('bo'))
    const own = pool.use(async () => order.push('server'), SOON)
    work.resolve('done')
    await Promise.all([use, person, own])
    expect(order).toEqual(['server', 'bo'])
  })
})

describe('work that is given up', () => {
  test('is cancelled, and its connection goes on once that has ended', async () => {
    const { pool, made } = poolOf({ size: 1 })
    const controller = new AbortController()
    const { signal } = controller
    const use = pool.use((connection) => connection.ended.promise, { ...SOON, signal })
    await expect.poll(() => made.length).toBe(1)
    const next = pool.use(async (connection) => connection, SOON)
    controller.abort(new Error('enough'))
    await expect(use).rejects.toThrow('enough')
    expect(await next).toBe(made[0])
  })

  test('keeps its connection until it has really ended', async () => {
    const ending = held()
    const { pool, made } = poolOf({
      size: 1,
      cancelMs: Infinity,
      cancel: async () => (await ending.promise) !== '',
    })
    const use = pool.use(() => new Promise(() => undefined), { timeoutMs: 1 })
    await expect(use).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
    let isBegun = false
    const next = pool.use(async () => (isBegun = true), SOON)
    await expect.poll(() => made.length).toBe(1)
    expect(isBegun).toBe(false)
    ending.resolve('ended')
    expect(await next).toBe(true)
    expect(made).toHaveLength(1)
  })

  test('takes its connection with it where it had ended by itself, or does not end', async () => {
    const work = held()
    const { pool, made } = poolOf({
      size: 1,
      cancelMs: 1,
      async cancel() {
        work.resolve('finished just then')
        return made.length > 1 && new Promise<boolean>(() => undefined)
      },
    })
    for (const place of [0, 1]) {
      const use = pool.use(() => held().promise, { timeoutMs: 1 })
      await expect(use).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
      expect(await pool.use(async (connection) => connection, SOON)).toBe(made[place + 1])
      expect(made[place]!.isClosed).toBe(true)
    }
  })

  test('is given some grace where the other side ends it by itself', async () => {
    const { pool } = poolOf()
    const late = held()
    const use = pool.use(() => late.promise, { timeoutMs: 1, graceMs: 60_000 })
    const beside = pool.use(() => new Promise(() => undefined), { timeoutMs: 1 })
    await expect(beside).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
    late.resolve('ended by itself')
    expect(await use).toBe('ended by itself')
  })
})

describe('closing', () => {
  test('gives up what runs and what waits, and takes nothing more', async () => {
    const { pool, made } = poolOf({ size: 1 })
    const use = pool.use((connection) => connection.ended.promise, SOON)
    await expect.poll(() => made.length).toBe(1)
    const waiting = pool.use(async () => 'never', SOON)
    const told = Promise.allSettled([use, waiting])
    await pool.close()
    for (const one of await told)
      expect(one).toMatchObject({ reason: { code: 'DATABASE_UNAVAILABLE' } })
    expect(made[0]!.isClosed).toBe(true)
    const late = pool.use(async () => 'late', SOON)
    await expect(late).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  })

  test('is noticed by whoever was given a connection just then', async () => {
    const closed = Promise.withResolvers<void>()
    const { pool } = poolOf({
      // Called when the connection is about to be handed out.
      isUsable() {
        queueMicrotask(() => closed.resolve(pool.close()))
        return true
      },
    })
    let isBegun = false
    const use = pool.use(async () => (isBegun = true), SOON)
    await expect(use).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    await closed.promise
    expect(isBegun).toBe(false)
  })

  test('waits for work that is to be left alone', async () => {
    const { pool, made } = poolOf()
    const work = held()
    const use = pool.use(() => work.promise, { ...SOON, runsToEnd: true })
    await expect.poll(() => made.length).toBe(1)
    let isOver = false
    const closing = pool.close().then(() => (isOver = true))
    await Promise.resolve()
    expect([isOver, made[0]!.isClosed]).toEqual([false, false])
    work.resolve('written')
    expect(await use).toBe('written')
    await closing
    expect(made[0]!.isClosed).toBe(true)
  })

  test('a pool that is reset gives up its work and goes on with new connections', async () => {
    const { pool, made } = poolOf({ size: 1 })
    const use = pool.use((connection) => connection.ended.promise, SOON)
    await expect.poll(() => made.length).toBe(1)
    const told = expect(use).rejects.toThrow('replaced')
    pool.reset(() => new Error('replaced'))
    await told
    expect(await pool.use(async (connection) => connection, SOON)).toBe(made[1])
  })
})
