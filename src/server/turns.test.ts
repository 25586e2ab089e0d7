import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns, type Turns } from './turns.ts'

/** Requests that begin and go on twice, such as pages do; `done` tells in which order they end. */
function requestsOf(turns: Turns) {
  const done: string[] = []
  const ask = async (name: string): Promise<void> => {
    const [person = ''] = name
    await turns.begin(person)
    await turns.goOn(person)
    await turns.goOn(person)
    done.push(name)
  }
  return { done, ask }
}

test('whoever comes during the burst of another waits for as many turns as they need', async () => {
  const { done, ask } = requestsOf(createTurns())
  const burst = Array.from({ length: 20 }, (_, at) => ask(`a${at}`))
  await setImmediate()
  await ask('b')
  expect(done.length).toBeLessThanOrEqual(4)
  await Promise.all(burst)
  // What has begun is answered before more begins.
  expect(done.filter((name) => name !== 'b')).toEqual(burst.map((_, at) => `a${at}`))
})

test('a turn that nobody waits for is taken at once', async () => {
  const { done, ask } = requestsOf(createTurns())
  await ask('a')
  await setImmediate()
  await ask('a')
  expect(done).toEqual(['a', 'a'])
})

test('of one person a bounded number of requests waits to begin, of others as many', async () => {
  const turns = createTurns(3)
  const begun = Array.from({ length: 5 }, () => turns.begin('a'))
  const other = turns.begin('b')
  const outcomes = await Promise.allSettled(begun)
  const failed = outcomes.filter(({ status }) => status === 'rejected')
  expect(failed.map((outcome) => 'reason' in outcome && outcome.reason.code)).toEqual([
    'TOO_MANY_REQUESTS',
    'TOO_MANY_REQUESTS',
  ])
  await other
  await turns.begin('a')
})

test('who has left takes no turn, and waits no more', async () => {
  const turns = createTurns(2)
  const leaving = new AbortController()
  const first = turns.begin('a')
  const second = turns.begin('a', leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  await first
  await expect(turns.begin('a', leaving.signal)).rejects.toThrow('gone')
  await turns.begin('a')
})
