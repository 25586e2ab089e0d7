import { expect, test } from 'vitest'
import { latest } from './latest.ts'

const never = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })

test('a question that is asked again cancels the one before, and no other', async () => {
  const [owner, { signal }] = [{}, new AbortController()]
  const first = latest(owner, 'a', signal, never)
  const stop = new AbortController()
  const other = latest(owner, 'b', stop.signal, never)
  expect(await latest(owner, 'a', signal, async () => 'answer')).toBe('answer')
  expect(await first).toBeNull()
  stop.abort()
  await expect(other).rejects.toThrow('aborted')
})
