import { beforeEach, describe, expect, test } from 'vitest'
import { rateLimit, visitorLimit, type RateLimit } from './rate-limit.ts'

const START = 1_700_000_000_000
const MINUTE_MS = 60_000

let now: number
let limit: RateLimit

/** How many of so many uses are let through. */
function passing(uses: number, take = () => limit.take('a')): number {
  let passed = 0
  for (let i = 0; i < uses; i++)
    try {
      take()
      passed += 1
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    }
  return passed
}

beforeEach(() => {
  now = START
  limit = rateLimit({ now: () => now, limit: 6, windowMs: MINUTE_MS })
})

describe('a limit', () => {
  test('lets so many through at once, then as many in each minute, one after the other', () => {
    expect(passing(20)).toBe(6)
    now += 10_000
    expect(passing(20)).toBe(1)
    now += 30_000
    expect(passing(20)).toBe(3)
    now += 10 * MINUTE_MS
    expect(passing(20)).toBe(6)
  })

  test('tells in how many whole seconds the next use is there', () => {
    const refused = () => {
      try {
        limit.take('a')
        return 0
      } catch (error) {
        return (error as { retryAfter?: number }).retryAfter
      }
    }
    passing(6)
    expect(refused()).toBe(10)
    now += 2500
    expect(refused()).toBe(8)
    now += 7499
    expect(refused()).toBe(1)
    now += 1
    expect(refused()).toBe(0)
  })

  test('counts several uses at once, or none of them', () => {
    limit.take('a', 4)
    expect(() => limit.take('a', 3)).toThrow(expect.objectContaining({ retryAfter: 10 }))
    limit.take('a', 2)
    expect(passing(1)).toBe(0)
  })

  test('lets more than the limit through once it is full', () => {
    limit.take('a', 20)
    expect(() => limit.take('a', 20)).toThrow(expect.objectContaining({ retryAfter: 60 }))
    now += MINUTE_MS
    limit.take('a', 20)
  })

  test('counts each key by itself', () => {
    expect(passing(20)).toBe(6)
    expect(passing(20, () => limit.take('b'))).toBe(6)
  })

  test('locks nobody out when the clock is put back, and gives them nothing', () => {
    expect(passing(20)).toBe(6)
    now -= 3_600_000
    expect(passing(20)).toBe(0)
    now += 10_000
    expect(passing(20)).toBe(1)
  })

  test('keeps a key that is in use while thousands of others come', () => {
    passing(6)
    for (let i = 0; i < 9998; i++) limit.take(`key ${i}`)
    expect(passing(1)).toBe(0)
    for (let i = 0; i < 5000; i++) limit.take(`other ${i}`)
    expect(passing(1)).toBe(0)
    for (let i = 0; i < 10_000; i++) limit.take(`more ${i}`)
    expect(passing(20)).toBe(6)
  })
})

describe('a limit for visitors', () => {
  test('counts people whatever their addresses, then known browsers, then networks', () => {
    const visitors = visitorLimit({ now: () => now, limit: 5, windowMs: MINUTE_MS })
    const ip = '10.0.0.1'
    let at = 0
    const ana = () => visitors.take({ ip: `10.0.0.${++at}`, person: 'ana', browser: `${at}` })
    expect(passing(20, ana)).toBe(5)
    expect(passing(20, () => visitors.take({ ip, person: 'bo' }))).toBe(5)
    expect(passing(20, () => visitors.take({ ip, browser: 'ana' }))).toBe(5)
    expect(passing(20, () => visitors.take({ ip }))).toBe(5)
  })

  test('counts strangers by their network and, in IPv6, by that of their provider’s customer', () => {
    const visitors = visitorLimit({ now: () => now, limit: 5, windowMs: MINUTE_MS })
    const from = (ip: string) => passing(20, () => visitors.take({ ip }))
    expect([from('10.0.0.1'), from('10.0.0.2')]).toEqual([5, 5])
    const networks = Array.from({ length: 8 }, (_, i) => from(`2001:db8:1:${i}::1`))
    expect(networks).toEqual([5, 5, 5, 5, 0, 0, 0, 0])
    expect(from('2001:db8:2::1')).toBe(5)
  })
})
