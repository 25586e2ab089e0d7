import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../app-error.ts'
import { createRefusalLog, type RefusalLog } from './refusal-log.ts'

const MINUTE_MS = 60_000
let lines: string[]
let refusals: RefusalLog

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  refusals = createRefusalLog((line) => lines.push(line))
})
afterEach(() => void vi.useRealTimers())

test('the first of a kind is written at once, the others once a minute as a count', () => {
  for (let i = 0; i < 1000; i++) refusals.note(new AppError('TOO_MANY_REQUESTS'), 'POST /sign-in')
  refusals.note(new AppError('BUSY'), 'GET /')
  expect(lines).toEqual([
    '429 TOO_MANY_REQUESTS POST /sign-in',
    expect.stringMatching(/^503 BUSY GET \/ ./),
  ])
  vi.advanceTimersByTime(MINUTE_MS)
  for (let i = 0; i < 10; i++) refusals.note(new AppError('TOO_MANY_REQUESTS'), 'GET /')
  expect(lines.splice(0)).toEqual([
    '429 TOO_MANY_REQUESTS POST /sign-in',
    expect.stringMatching(/^503 BUSY GET \/ ./),
    '429 TOO_MANY_REQUESTS: 999 more',
  ])
  vi.advanceTimersByTime(MINUTE_MS)
  expect(lines.splice(0)).toEqual(['429 TOO_MANY_REQUESTS: 10 more'])
  vi.advanceTimersByTime(10 * MINUTE_MS)
  expect(lines).toEqual([])
  refusals.note(new AppError('TOO_MANY_REQUESTS'), 'GET /')
  expect(lines).toEqual(['429 TOO_MANY_REQUESTS GET /'])
})

test('what was counted is written before the end', () => {
  for (let i = 0; i < 3; i++) refusals.note(new AppError('BUSY'))
  refusals.flush()
  expect(lines).toEqual([expect.stringMatching(/^503 BUSY ./), '503 BUSY: 2 more'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a reason is written in one line, and only where the trouble is the server’s', () => {
  const cause = new Error('connect ECONNREFUSED\n127.0.0.1\u001b[31m\u202e')
  const unavailable = new AppError('DATABASE_UNAVAILABLE', { cause })
  refusals.note(unavailable, 'GET /')
  refusals.note(new AppError('REQUEST_MALFORMED', { cause }), 'GET /')
  expect(lines).toEqual([
    `503 DATABASE_UNAVAILABLE GET / ${unavailable.message} connect ECONNREFUSED 127.0.0.1 [31m `,
    '400 REQUEST_MALFORMED GET /',
  ])
})
