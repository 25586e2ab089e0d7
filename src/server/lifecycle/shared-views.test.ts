import { expect, test } from 'vitest'
import { type ReadView, sharedViews } from './shared-views.ts'

const view = (text: string): ReadView => ({ state: {}, view: text, returned: null, digest: text })

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

test('no more than a hundred are kept', async () => {
  const views = sharedViews()
  for (let at = 0; at <= 100; at++) await views.find(String(at), async () => view('old'))
  expect((await views.find('100', async () => view('new'))).digest).toBe('old')
  expect((await views.find('0', async () => view('new'))).digest).toBe('new')
})
