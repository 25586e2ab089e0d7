import { expect, test } from 'vitest'
import { type CachedSession, SessionCache } from './session-cache.ts'

const ana: CachedSession = { actor: { id: 'ana' }, session: { id: 's', expiresAt: 10_000 } }

/** Reads that answer when told to, in order. */
function reads() {
  const answers: ((value: CachedSession | undefined) => void)[] = []
  const read = () => new Promise<CachedSession | undefined>((resolve) => answers.push(resolve))
  return { answers, read }
}

const never = () => Promise.reject(new Error('was read again'))

test('reads once, and again when the time is up', async () => {
  const cache = new SessionCache(5000)
  expect(await cache.get('t', 0, async () => ana)).toBe(ana)
  expect(await cache.get('t', 4999, never)).toBe(ana)
  await expect(cache.get('t', 5000, never)).rejects.toThrow('read again')
})

test('trusts no session past its end, nor when the clock was put back', async () => {
  const cache = new SessionCache(5000)
  await cache.get('t', 8000, async () => ana)
  await expect(cache.get('t', 7999, never)).rejects.toThrow('read again')
  await cache.get('t', 8000, async () => ana)
  await expect(cache.get('t', 10_000, never)).rejects.toThrow('read again')
})

test('does not keep what was read before something was forgotten', async () => {
  const cache = new SessionCache(5000)
  const { answers, read } = reads()
  const overtaken = cache.get('t', 0, read)
  cache.forget(({ session }) => session.id === 's')
  answers[0]?.(ana)
  expect(await overtaken).toBe(ana)
  expect(await cache.get('t', 0, async () => undefined)).toBeUndefined()
})

test('forgets those that fit and no other', async () => {
  const cache = new SessionCache(5000)
  const bo = { actor: { id: 'bo' }, session: { id: 'r', expiresAt: 10_000 } }
  await cache.get('t', 0, async () => ana)
  await cache.get('u', 0, async () => bo)
  cache.forget(({ actor }) => actor.id === 'ana')
  expect(await cache.get('u', 0, never)).toBe(bo)
  await expect(cache.get('t', 0, never)).rejects.toThrow('read again')
})

test('stays bounded', async () => {
  const cache = new SessionCache(5000)
  for (let i = 0; i <= 10_000; i += 1) await cache.get(`${i}`, 0, async () => ana)
  await expect(cache.get('0', 0, never)).rejects.toThrow('read again')
  expect(await cache.get('10000', 0, never)).toBe(ana)
})
