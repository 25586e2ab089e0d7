import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createExportPlaces } from './export-places.ts'

const never = new AbortController().signal

test('parts are read in turn by person, and a place is given on when its part is read', async () => {
  const places = createExportPlaces(2)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const read = (name: string) =>
    places.read(name[0]!, never, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map(read)
  await Promise.resolve()
  expect(begun).toEqual(['a1', 'a2'])
  for (let at = 0; at < all.length; at++) {
    ends[at]!()
    await setImmediate()
  }
  await Promise.all(all)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'a4'])
})

test('whoever gives up waiting takes no place, and is told why', async () => {
  const places = createExportPlaces(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = places.read('a', never, () => promise)
  const leaving = new AbortController()
  const second = places.read('b', leaving.signal, () => expect.unreachable())
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  resolve()
  await first
  expect(await places.read('c', never, async () => 'read')).toBe('read')
})
