import { expect, test } from 'vitest'
import { type ReadView, sharedViews } from './shared-views.ts'

const view = (text: string): ReadView => ({ state: {}, view: text, digest: text })

test('a view is read once for all who ask for it, meanwhile and later', async () => {
  const views = sharedViews()
  const gate = Promise.withResolvers<ReadView>()
  let reads = 0
  const read = () => {
    reads++
    return gate.promise
  }
  const asked = [views.find('a', read), views.find('a', read)]
  gate.resolve(view('1'))
  expect((await Promise.all(asked)).map(({ digest }) => digest)).toEqual(['1', '1'])
  await views.find('a', read)
  expect(reads).toBe(1)
  await views.find('b', read)
  expect(reads).toBe(2)
})

test('where the first one leaves, the others read for themselves', async () => {
  const views = sharedViews()
  const gate = Promise.withResolvers<ReadView>()
  const first = views.find('a', () => gate.promise)
  const second = views.find('a', async () => view('2'))
  gate.reject(new DOMException('Left.', 'AbortError'))
  await expect(first).rejects.toThrow('Left.')
  expect((await second).digest).toBe('2')
  expect((await views.find('a', async () => view('3'))).digest).toBe('3')
})

test('the oldest are forgotten once they are too long together, however many there are', async () => {
  const views = sharedViews()
  const long = 'x'.repeat(1024 * 1024)
  for (let at = 0; at < 8; at++)
    await views.find(`long ${at}`, async () => ({ ...view('old'), view: long }))
  for (let at = 0; at < 1000; at++) await views.find(`short ${at}`, async () => view('old'))
  const digestOf = async (key: string) => (await views.find(key, async () => view('new'))).digest
  expect(await digestOf('long 7')).toBe('old')
  expect(await digestOf('short 0')).toBe('old')
  expect(await digestOf('long 0')).toBe('new')
})
