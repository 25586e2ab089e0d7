import { expect, test } from 'vitest'
import { untilAnswered } from './until-answered.ts'

const { signal } = new AbortController()

/** Answers with these, one after the other, and counts the questions. */
function answering(...answers: (string | null)[]) {
  let asked = 0
  return { ask: async () => answers[asked++] ?? null, count: () => asked }
}

test('a dropped question is asked again', async () => {
  const server = answering(null, 'answer')
  expect(await untilAnswered(signal, server.ask)).toBe('answer')
  expect(server.count()).toBe(2)
})

test('a question that is dropped each time fails, rather than to be taken for an empty answer', async () => {
  const server = answering()
  await expect(untilAnswered(signal, server.ask)).rejects.toThrow()
  expect(server.count()).toBe(3)
})

test('nothing is asked again once nobody waits', async () => {
  const server = answering(null, 'answer')
  await expect(untilAnswered(AbortSignal.abort(), server.ask)).rejects.toThrow()
  expect(server.count()).toBe(1)
})
