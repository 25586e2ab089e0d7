import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

function openLooks() {
  const looks: PromiseWithResolvers<string>[] = []
  const see = coalesce(() => {
    const look = Promise.withResolvers<string>()
    looks.push(look)
    return look.promise
  })
  return { looks, see }
}

test('whoever asks during a look shares the next one, and never sees this one', async () => {
  const { looks, see } = openLooks()
  const first = see()
  const [second, third] = [see(), see()]
  expect(looks).toHaveLength(1)
  looks[0]?.resolve('before')
  expect(await first).toBe('before')
  await expect.poll(() => looks.length).toBe(2)
  looks[1]?.resolve('after')
  expect(await Promise.all([second, third])).toEqual(['after', 'after'])
  expect(looks).toHaveLength(2)
})

test('once nobody looks, the next to ask begins a look', async () => {
  const { looks, see } = openLooks()
  const first = see()
  looks[0]?.resolve('one')
  await first
  await Promise.resolve()
  const second = see()
  await expect.poll(() => looks.length).toBe(2)
  looks[1]?.resolve('two')
  expect(await second).toBe('two')
})

test('a look that fails fails those who asked for it, and nobody after them', async () => {
  const { looks, see } = openLooks()
  const first = see()
  const second = see()
  looks[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await expect.poll(() => looks.length).toBe(2)
  looks[1]?.resolve('found')
  expect(await second).toBe('found')
})
