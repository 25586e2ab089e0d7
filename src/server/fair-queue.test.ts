import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const queueOf = (...items: string[]): FairQueue<string> => {
  const queue = new FairQueue<string>()
  for (const item of items) queue.add(item[0]!, item)
  return queue
}

function* taken(queue: FairQueue<string>, loadOf?: (person: string) => number) {
  for (let item = queue.next(loadOf); item !== undefined; item = queue.next(loadOf)) yield item
}

test('people take turns, and each one’s requests keep their order', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')
  expect([...taken(queue)]).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  expect(queue.size).toBe(0)
})

test('whoever comes while another is served waits for one of their requests at most', () => {
  const queue = queueOf('a1', 'a2', 'a3')
  expect(queue.next()).toBe('a1')
  queue.add('b', 'b1')
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['a2', 'b1', 'a3'])
})

test('the person with the least load goes first', () => {
  const queue = queueOf('a1', 'b1', 'c1')
  const loads: Record<string, number> = { a: 2, b: 1, c: 0 }
  expect([...taken(queue, (person) => loads[person]!)]).toEqual(['c1', 'b1', 'a1'])
})

test('requests are counted by person, put back and given up', () => {
  const queue = queueOf('a1', 'a2', 'b1')
  queue.addFirst('a', 'a0')
  expect([queue.size, queue.countOf('a'), queue.countOf('c')]).toEqual([4, 3, 0])
  expect([queue.delete('a', 'a1'), queue.delete('a', 'a1'), queue.delete('c', 'a2')]).toEqual([
    true,
    false,
    false,
  ])
  expect(queue.items()).toEqual(['a0', 'a2', 'b1'])
  expect([...taken(queue)]).toEqual(['a0', 'b1', 'a2'])
  queue.add('a', 'a1')
  queue.clear()
  expect([queue.size, queue.next()]).toEqual([0, undefined])
})
