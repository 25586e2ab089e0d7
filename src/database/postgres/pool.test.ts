import { expect, test } from 'vitest'
import { Pool } from './pool.ts'

class FakeSession {
  isFit = true
  isClosed = false

  async close(): Promise<void> {
    this.isClosed = true
  }
}

function poolOf(size: number, queue = 10, open = async () => new FakeSession()) {
  const opened: FakeSession[] = []
  const pool = new Pool({
    size,
    queue,
    open: async () => {
      const session = await open()
      opened.push(session)
      return session
    },
  })
  return { pool, opened }
}

const SOON = 60_000

test('sessions are used again, the last one first, and no more than so many are opened', async () => {
  const { pool, opened } = poolOf(2)
  const [a, b] = await Promise.all([pool.take(SOON), pool.take(SOON)])
  const third = pool.take(SOON)
  expect(opened).toHaveLength(2)
  pool.giveBack(a)
  expect(await third).toBe(a)
  pool.giveBack(a)
  pool.giveBack(b)
  expect(await pool.take(SOON)).toBe(b)
})

test('whoever waits too long, or is one too many, is told to come back', async () => {
  const { pool } = poolOf(1, 1)
  const session = await pool.take(SOON)
  const late = pool.take(5)
  late.catch(() => undefined)
  await expect(pool.take(SOON)).rejects.toMatchObject({ code: 'BUSY', retryAfter: 1 })
  await expect(late).rejects.toMatchObject({ code: 'BUSY', retryAfter: 1 })
  pool.giveBack(session)
  expect(await pool.take(SOON)).toBe(session)
})

test('whoever gives up waiting makes room for the next', async () => {
  const { pool } = poolOf(1, 1)
  const session = await pool.take(SOON)
  const controller = new AbortController()
  const given = pool.take(SOON, controller.signal)
  controller.abort()
  await expect(given).rejects.toBe(controller.signal.reason)
  const next = pool.take(SOON)
  pool.giveBack(session)
  expect(await next).toBe(session)
})

test('a session that is broken or not trusted any more is replaced', async () => {
  const { pool, opened } = poolOf(1)
  const broken = await pool.take(SOON)
  broken.isFit = false
  const next = pool.take(SOON)
  pool.giveBack(broken)
  const second = await next
  expect([broken.isClosed, second === broken]).toEqual([true, false])
  pool.distrust()
  pool.giveBack(second)
  expect(await pool.take(SOON)).not.toBe(second)
  expect(opened).toHaveLength(3)
})

test('a session that cannot be opened leaves its place to the next', async () => {
  let isUp = false
  const { pool } = poolOf(1, 10, async () => {
    if (!isUp) throw new Error('down')
    return new FakeSession()
  })
  const refused = await Promise.allSettled([pool.take(SOON), pool.take(SOON), pool.take(SOON)])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  isUp = true
  expect((await pool.take(SOON)).isFit).toBe(true)
})

test('closing turns away whoever waits, and ends when the last one is given back', async () => {
  const { pool, opened } = poolOf(2)
  const session = await pool.take(SOON)
  pool.giveBack(await pool.take(SOON))
  const busy = await pool.take(SOON)
  const waiting = pool.take(SOON)
  waiting.catch(() => undefined)
  let isOver = false
  const closing = pool.close().then(() => (isOver = true))
  await expect(waiting).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  pool.giveBack(session)
  expect(isOver).toBe(false)
  pool.giveBack(busy)
  await closing
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true])
  await expect(pool.take(SOON)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
})
