import { beforeEach, describe, expect, test } from 'vitest'
import { fixedWindow, limitKey, type RateLimit, slidingWindow } from './rate-limit.ts'
import type { Visitor } from './visitor.ts'

const START = 1_700_000_000_000
const MINUTE_MS = 60_000

let now: number
let limit: RateLimit

/** How many of so many uses are let through. */
function passing(uses: number, key = 'a'): number {
  let passed = 0
  for (let i = 0; i < uses; i++)
    try {
      limit.take(key)
      passed += 1
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    }
  return passed
}

beforeEach(() => {
  now = START
})

describe('a fixed window', () => {
  beforeEach(() => {
    limit = fixedWindow({ now: () => now, limit: 3, windowMs: MINUTE_MS })
  })

  test('lets so many through in a minute, and says when the next one begins', () => {
    expect(passing(5)).toBe(3)
    now += 12_500
    expect(() => limit.take('a')).toThrow(expect.objectContaining({ retryAfter: 48 }))
    now += 47_499
    expect(passing(1)).toBe(0)
    now += 1
    expect(passing(5)).toBe(3)
  })

  test('locks nobody out when the clock is put back', () => {
    expect(passing(5)).toBe(3)
    now -= 3_600_000
    expect(passing(5)).toBe(3)
  })

  test('is kept for those who began last, however many come', () => {
    expect(passing(3, 'early')).toBe(3)
    for (let i = 0; i < 9999; i++) passing(1, `key ${i}`)
    expect(passing(1, 'early')).toBe(0)
    passing(1, 'one more')
    expect(passing(5, 'early')).toBe(3)
  })
})

describe('a sliding window', () => {
  beforeEach(() => {
    limit = slidingWindow({ now: () => now, limit: 2, windowMs: MINUTE_MS })
  })

  test('allows so many in any minute, and says when the next one may be made', () => {
    limit.take('a')
    now += 30_000
    limit.take('a')
    limit.take('b')
    expect(() => limit.take('a')).toThrow(
      expect.objectContaining({ code: 'TOO_MANY_REQUESTS', retryAfter: 30 }),
    )
    now += 30_000
    expect(passing(2)).toBe(1)
  })

  test('does not lock anybody out when the clock is put back', () => {
    expect(passing(3)).toBe(2)
    now -= 1_000_000
    expect(passing(3)).toBe(2)
  })

  test('keeps a key that is in use while thousands of others come', () => {
    limit.take('old')
    for (let i = 0; i < 9998; i++) limit.take(`key ${i}`)
    limit.take('old')
    for (let i = 0; i < 5000; i++) limit.take(`other ${i}`)
    expect(() => limit.take('old')).toThrow()
  })
})

test('requests count by session, whatever their address, and by address without one', () => {
  const visitor = (id: string): Visitor => ({
    actor: { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'editor' },
    session: { id, lineage: 'l' },
  })
  expect(limitKey({ ip: '10.0.0.1' }, visitor('one'))).toBe('one')
  expect(limitKey({ ip: '10.0.0.2' }, visitor('one'))).toBe('one')
  expect(limitKey({ ip: '10.0.0.1' }, visitor('two'))).toBe('two')
  expect(limitKey({ ip: '10.0.0.1' }, undefined)).toBe('10.0.0.1')
})
