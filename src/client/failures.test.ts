import { describe, expect, test } from 'vitest'
import { retryDelay } from './backoff.ts'
import { createFailures } from './failures.ts'

const offline = { kind: 'offline', waiting: 1 } as const
const busy = { kind: 'busy', waiting: 1, message: 'Busy.' } as const
const server = {
  kind: 'server',
  code: 'SERVER_ERROR',
  status: 500,
  message: '',
  reference: null,
  html: null,
} as const
const expired = { kind: 'expired' } as const

describe('the failure that is shown', () => {
  test.each([
    [[offline, busy], busy],
    [[busy, offline], busy],
    [[server, busy], server],
    [[busy, server], server],
    [[expired, server], expired],
    [[server, expired], expired],
    [[offline, { ...offline, waiting: 5 }], { ...offline, waiting: 5 }],
  ])('of %j is %j', (reported, shown) => {
    const failures = createFailures()
    for (const failure of reported) failures.report(failure)
    expect(failures.getState()).toEqual(shown)
  })

  test('is put away only where it is of the kind that has passed', () => {
    const failures = createFailures()
    failures.report(expired)
    failures.clear(['offline', 'busy'])
    expect(failures.getState()).toEqual(expired)
    failures.clear(['expired'])
    expect(failures.getState()).toBe(null)
  })
})

describe('the wait before another try', () => {
  test('grows, up to half a minute', () => {
    const waits = Array.from({ length: 10 }, (_, attempt) => retryDelay(attempt, null, 1))
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000])
    expect(retryDelay(100_000, null, 1)).toBe(30_000)
  })

  test('is spread by chance, and never nothing', () => {
    expect(retryDelay(0, null, 0)).toBe(100)
    expect(retryDelay(0, null, 0.5)).toBe(300)
  })

  test('is never shorter than the server wishes', () => {
    for (const chance of [0, 0.5, 1]) expect(retryDelay(0, 7000, chance)).toBeGreaterThan(7000)
  })
})
