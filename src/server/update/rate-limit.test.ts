import { beforeEach, describe, expect, test } from 'vitest'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import type { Visitor } from '../visitor.ts'

const START = 1_700_000_000_000
const from = (ip: string) => ({ ip })
const visitor = (id: string): Visitor => ({
  actor: { id: 'ana', name: 'Ana', email: 'ana@example.org', role: 'editor' },
  session: { id, lineage: 'l' },
})

let now: number
let limit: RateLimit

/** How many of so many requests are let through. */
function passing(requests: number, ip = '10.0.0.1', session?: string): number {
  let passed = 0
  for (let i = 0; i < requests; i++)
    try {
      limit(from(ip), session === undefined ? undefined : visitor(session))
      passed += 1
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    }
  return passed
}

beforeEach(() => {
  now = START
  limit = createRateLimit(3, () => now)
})

describe('a limit of requests', () => {
  test('lets so many through in a minute, and says when the next one begins', () => {
    expect(passing(5)).toBe(3)
    now += 12_500
    expect(() => limit(from('10.0.0.1'))).toThrow(expect.objectContaining({ retryAfter: 48 }))
    now += 47_499
    expect(passing(1)).toBe(0)
    now += 1
    expect(passing(5)).toBe(3)
  })

  test('counts by session, whatever its address, and by address without one', () => {
    expect(passing(5, '10.0.0.1', 'one')).toBe(3)
    expect(passing(5, '10.0.0.2', 'one')).toBe(0)
    expect(passing(5, '10.0.0.1', 'two')).toBe(3)
    expect(passing(5, '10.0.0.1')).toBe(3)
    expect(passing(5, '10.0.0.2')).toBe(3)
  })

  test('locks nobody out when the clock is put back', () => {
    expect(passing(5)).toBe(3)
    now -= 3_600_000
    expect(passing(5)).toBe(3)
  })

  test('is kept for those who began last, however many come', () => {
    expect(passing(3, 'early')).toBe(3)
    for (let i = 0; i < 4999; i++) passing(1, `10.${i >> 8}.${i & 255}.1`)
    expect(passing(1, 'early')).toBe(0)
    passing(1, 'one more')
    expect(passing(5, 'early')).toBe(3)
  })
})
