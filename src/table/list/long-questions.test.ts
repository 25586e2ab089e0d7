import { expect, test } from 'vitest'
import type { RowSource, Run } from '../source/row-source.ts'
import { askedFor, inTurn } from './long-questions.ts'

const sourceOf = () => Object.create(null) as RowSource

/** A question of this name that goes on until it is answered. */
function slow(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const ask = (run?: Run) => {
    begun.push(run ? `${name}, ${run.isLong ? 'long' : 'short'}, ${run.timeoutMs} ms` : name)
    return promise
  }
  return { ask, answer: () => resolve(name), fail: () => reject(new Error(name)) }
}

test('a question that is asked for may take 20 s, and waits for the full count before it', async () => {
  const source = sourceOf()
  const begun: string[] = []
  const [count, search] = ['count', 'search'].map((name) => slow(begun, name))
  const counted = inTurn(source, () => count!.ask())
  const found = askedFor(source, 'ann', search!.ask)
  expect(begun).toEqual(['count'])
  count!.fail()
  await expect(counted).rejects.toThrow('count')
  await expect.poll(() => begun).toEqual(['count', 'search, long, 20000 ms'])
  search!.answer()
  expect(await found).toBe('search')
})

test('everybody has one at a time, and two people at most have any', async () => {
  const source = sourceOf()
  const [first, second, third] = ['1', '2', '3'].map((name) => slow([], name))
  const ann = askedFor(source, 'ann', first!.ask)
  await expect(askedFor(source, 'ann', second!.ask)).rejects.toMatchObject({ code: 'BUSY' })
  const ben = askedFor(source, 'ben', second!.ask)
  await expect(askedFor(source, 'cy', third!.ask)).rejects.toMatchObject({ code: 'BUSY' })
  first!.answer()
  await ann
  const again = askedFor(source, 'ann', third!.ask)
  second!.answer()
  third!.answer()
  expect(await Promise.all([ben, again])).toEqual(['2', '3'])
})
