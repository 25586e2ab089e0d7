import { expect, test } from 'vitest'
import { createRecentRates } from './recent-rates.ts'

/** Notes steps of so many rows, one a second; returns what is told after each. */
function open(since = 0) {
  const rates = createRecentRates()
  let [at, done] = [since, 0]
  const run = { since, done: 0 }
  const step = (rows: number, ms = 1000) => {
    at += ms
    done += rows
    rates.note({
      ...{ id: 'j', state: 'running', run, changedAt: at, progress: { done, total: null } },
    })
    return rates.rateOf('j', at)
  }
  return { rates, step, now: () => at, done: () => done, run }
}

test('the rate is that of late, not that since the start', () => {
  const { step } = open()
  for (let n = 0; n < 60; n++) step(1000)
  for (let n = 0; n < 40; n++) step(10)
  expect(step(10)).toEqual({ perSecond: 10, isSteady: true })
})

test('it is steady once several steps took as long as one another', () => {
  const { step } = open()
  expect([1, 2, 3].map(() => step(100)?.isSteady)).toEqual([false, false, false])
  expect(step(100)).toEqual({ perSecond: 100, isSteady: true })
  step(1000)
  expect(step(1000)?.isSteady).toBe(false)
})

test('it is not where no step has come for long', () => {
  const { step, rates, now } = open()
  for (let n = 0; n < 10; n++) step(100)
  expect(rates.rateOf('j', now() + 2000)?.isSteady).toBe(true)
  expect(rates.rateOf('j', now() + 4000)?.isSteady).toBe(false)
})

test('many steps in little time are few', () => {
  const { step } = open()
  for (let n = 0; n < 190; n++) step(1, 10)
  expect(step(1, 10)?.isSteady).toBe(false)
  for (let n = 0; n < 400; n++) step(1, 10)
  expect(step(1, 10)?.isSteady).toBe(true)
})

test('a job that pauses begins anew, and nothing is known of others', () => {
  const { step, rates, now, done, run } = open()
  for (let n = 0; n < 10; n++) step(100)
  const job = { id: 'j', run: null, changedAt: now(), progress: { done: done(), total: null } }
  rates.note({ ...job, state: 'paused' })
  expect(rates.rateOf('j', now())).toBeUndefined()
  rates.note({ ...job, state: 'running', run: { ...run, since: now(), done: done() } })
  expect(rates.rateOf('j', now())).toBeUndefined()
  expect(rates.rateOf('none', 0)).toBeUndefined()
})
