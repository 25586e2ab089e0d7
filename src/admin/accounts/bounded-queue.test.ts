import { expect, test } from 'vitest'
import { BoundedQueue } from './bounded-queue.ts'

const options = { running: 1, waiting: 6, waitingEach: 4, retryAfter: 2 }
const busy = { code: 'BUSY', retryAfter: 2 }

/** A queue whose one place is taken until `free` is called, and what ran in it. */
function occupied() {
  const queue = new BoundedQueue(options)
  const ran: string[] = []
  const first = Promise.withResolvers<void>()
  const all = [queue.run(() => first.promise, { key: 'first', isKnown: false })]
  const add = (name: string, isKnown = false): Promise<void> => {
    const task = queue.run(async () => void ran.push(name), { key: name.slice(0, -1), isKnown })
    task.catch(() => undefined)
    all.push(task)
    return task
  }
  const free = async (): Promise<string[]> => {
    first.resolve()
    await Promise.allSettled(all)
    return ran
  }
  return { add, free }
}

test('strangers take turns, however many tasks each of them has', async () => {
  const { add, free } = occupied()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void add(name)
  expect(await free()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('who is known goes before strangers, and leaves them every second turn', async () => {
  const { add, free } = occupied()
  for (const name of ['a1', 'b1', 'c1']) void add(name)
  for (const name of ['x1', 'x2']) void add(name, true)
  expect(await free()).toEqual(['x1', 'a1', 'x2', 'b1', 'c1'])
})

test('who has too many waiting is turned away, and so is everybody if too many wait', async () => {
  const { add, free } = occupied()
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name)
  await expect(add('a5')).rejects.toMatchObject(busy)
  for (const name of ['b1', 'c1']) void add(name)
  await expect(add('d1')).rejects.toMatchObject(busy)
  void add('x1', true)
  expect(await free()).toEqual(['x1', 'a1', 'b1', 'c1', 'a2', 'a3', 'a4'])
})
