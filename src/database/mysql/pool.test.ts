import { expect, test } from 'vitest'
import { AppError } from '../../server/app-error.ts'
import { Pool, type Pooled, type PoolOptions } from './pool.ts'

class FakeSession implements Pooled {
  isLost = false
  readonly ended = Promise.withResolvers<never>()

  hold(): void {}

  destroy(): void {
    this.isLost = true
  }
}

const KILLED = new Error('killed')

function poolOf(options: Partial<PoolOptions<FakeSession>> = {}) {
  const opened: FakeSession[] = []
  const pool = new Pool<FakeSession>({
    open: async () => {
      const session = new FakeSession()
      opened.push(session)
      return session
    },
    kill: async (session) => session.ended.reject(KILLED),
    isKilled: (error) => error === KILLED,
    isLost: (error) => error instanceof Error && error.message === 'lost',
    isTaken: (error) => error instanceof Error && error.message === 'taken',
    size: 2,
    queue: 2,
    timeoutMs: 1000,
    ...options,
  })
  return { pool, opened }
}

const held = () => Promise.withResolvers<string>()

test('sessions are opened as they are needed, and used again', async () => {
  const { pool, opened } = poolOf()
  for (let i = 0; i < 5; i++) expect(await pool.use(async () => i)).toBe(i)
  expect(opened).toHaveLength(1)
})

test('no more work at once than there are sessions, and the rest in its turn', async () => {
  const { pool, opened } = poolOf()
  const works = [held(), held(), held()]
  const begun: number[] = []
  const uses = works.map((work, i) =>
    pool.use(() => {
      begun.push(i)
      return work.promise
    }),
  )
  works[0]!.resolve('a')
  expect(await uses[0]).toBe('a')
  works[1]!.resolve('b')
  works[2]!.resolve('c')
  expect(await Promise.all(uses)).toEqual(['a', 'b', 'c'])
  expect([begun, opened.length]).toEqual([[0, 1, 2], 2])
})

test('whoever comes when the queue is full is told when to come back', async () => {
  const { pool } = poolOf()
  const work = held()
  const uses = Array.from({ length: 4 }, () => pool.use(() => work.promise))
  await expect(pool.use(async () => 'late')).rejects.toMatchObject({ code: 'BUSY', retryAfter: 1 })
  work.resolve('done')
  expect(await Promise.all(uses)).toHaveLength(4)
})

test('work that is ended is ended on the server, and its session goes on', async () => {
  const { pool, opened } = poolOf({ size: 1 })
  const controller = new AbortController()
  const use = pool.use((session) => session.ended.promise, { signal: controller.signal })
  await expect.poll(() => opened.length).toBe(1)
  const next = pool.use(async (session) => session)
  controller.abort(new Error('enough'))
  await expect(use).rejects.toThrow('enough')
  expect(await next).toBe(opened[0])
})

test('a session whose work ended by itself as it was killed is left', async () => {
  const ended = held()
  const { pool, opened } = poolOf({
    size: 1,
    kill: async () => ended.resolve('finished just then'),
  })
  const controller = new AbortController()
  const use = pool.use(() => ended.promise, { signal: controller.signal })
  await expect.poll(() => opened.length).toBe(1)
  controller.abort(new Error('enough'))
  await expect(use).rejects.toThrow('enough')
  await pool.use(async (session) => expect(session).not.toBe(opened[0]))
  expect(opened[0]!.isLost).toBe(true)
})

test('work that takes too long is told, and so is waiting behind it', async () => {
  const { pool } = poolOf({ size: 1, timeoutMs: 20 })
  const use = pool.use((session) => session.ended.promise)
  const waiting = pool.use(async () => 'never', { timeoutMs: 1 })
  await expect(waiting).rejects.toMatchObject({ code: 'BUSY' })
  await expect(use).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
})

test('a lost session is not used again', async () => {
  const { pool, opened } = poolOf()
  await pool.use(async (session) => session.destroy())
  await pool.use(async (session) => expect(session.isLost).toBe(false))
  const idle = opened.at(-1)!
  idle.isLost = true
  await pool.use(async (session) => expect(session).not.toBe(idle))
})

test('where one session is lost, idle ones are not trusted either', async () => {
  const { pool, opened } = poolOf()
  const work = held()
  const uses = [pool.use(() => work.promise), pool.use(() => work.promise)]
  await expect.poll(() => opened.length).toBe(2)
  work.resolve('done')
  await Promise.all(uses)
  await expect(pool.use(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(opened.map(({ isLost }) => isLost)).toEqual([true, true])
  expect(await pool.use(async () => 'again')).toBe('again')
})

test('why no session can be opened is told to all who wait, and not remembered', async () => {
  let isDown = true
  const { pool } = poolOf({
    open: async () => {
      if (isDown) throw new AppError('DATABASE_UNAVAILABLE')
      return new FakeSession()
    },
  })
  const uses = [pool.use(async () => 1), pool.use(async () => 2)]
  for (const use of uses) await expect(use).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  isDown = false
  expect(await pool.use(async () => 3)).toBe(3)
})

test('where the server gives no more sessions, those that there are go round', async () => {
  let given = 0
  const { pool } = poolOf({
    size: 5,
    queue: 10,
    open: async () => {
      if (++given > 1) throw new Error('taken')
      return new FakeSession()
    },
  })
  const work = held()
  const first = pool.use(() => work.promise)
  const others = [pool.use(async () => 'b'), pool.use(async () => 'c')]
  work.resolve('a')
  expect(await Promise.all([first, ...others])).toEqual(['a', 'b', 'c'])
})

test('closing ends whatever waits and runs', async () => {
  const { pool, opened } = poolOf({ size: 1 })
  const use = pool.use((session) => session.ended.promise)
  use.catch(() => undefined)
  const waiting = pool.use(async () => 'never')
  await expect.poll(() => opened.length).toBe(1)
  pool.close()
  await expect(waiting).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(opened[0]!.isLost).toBe(true)
  await expect(pool.use(async () => 'late')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
})
