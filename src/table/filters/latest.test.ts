import { expect, test } from 'vitest'
import { latest, type Questions } from './latest.ts'

const never = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })
const { signal } = new AbortController()

test('a question that asks something else cancels the one before, and no other', async () => {
  const questions: Questions<string> = new Map()
  const first = latest(questions, { name: 'a', about: 'x', signal }, never)
  const stop = new AbortController()
  const other = latest(questions, { name: 'b', about: 'x', signal: stop.signal }, never)
  const next = latest(questions, { name: 'a', about: 'y', signal }, async () => 'answer')
  expect(await next).toBe('answer')
  expect(await first).toBeNull()
  stop.abort()
  await expect(other).rejects.toThrow('aborted')
  expect(questions.size).toBe(0)
})

test('callers who ask the same at once receive the same answer, which is asked for once', async () => {
  const questions: Questions<string> = new Map()
  const { promise, resolve } = Promise.withResolvers<string>()
  const asking = { name: 'a', about: 'x', signal }
  const answers = [latest(questions, asking, () => promise), latest(questions, asking, never)]
  resolve('answer')
  expect(await Promise.all(answers)).toEqual(['answer', 'answer'])
  expect(await latest(questions, asking, async () => 'later')).toBe('later')
})

test('whoever shares a question may ask again once the other caller has gone', async () => {
  const questions: Questions<string> = new Map()
  const gone = new AbortController()
  const first = latest(questions, { name: 'a', about: 'x', signal: gone.signal }, never)
  const second = latest(questions, { name: 'a', about: 'x', signal }, never)
  gone.abort()
  const third = latest(questions, { name: 'a', about: 'x', signal }, async () => 'answer')
  await expect(first).rejects.toThrow('aborted')
  expect(await second).toBeNull()
  expect(await third).toBe('answer')
})
