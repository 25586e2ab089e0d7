import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '../turns.ts'
import { createBodies } from './bodies.ts'

const SENDERS = 20
const PIECES = 10

test('other work goes on between any two pieces, however many bodies arrive', async () => {
  const bodies = createBodies(createTurns())
  let passed = 0
  const send = (_: unknown, at: number) => {
    const body = Readable.from(Array.from({ length: PIECES }, () => Buffer.alloc(1)))
    return bodies.receive(`person ${at}`, body, async (pieces) => {
      for await (const _piece of pieces) passed++
    })
  }
  const all = Promise.all(Array.from({ length: SENDERS }, send))
  const most: number[] = []
  while (passed < SENDERS * PIECES) {
    const before = passed
    await setImmediate()
    most.push(passed - before)
  }
  await all
  expect(Math.max(...most)).toBe(1)
})

test('a body of which nothing comes is given up', async () => {
  const bodies = createBodies(createTurns(), 1)
  const silent = new Readable({ read() {} })
  const received = bodies.receive('ana', silent, async (pieces) => {
    for await (const _piece of pieces) expect.unreachable()
  })
  await expect(received).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
})

test('a body is not given up while what came is still being kept', async () => {
  const bodies = createBodies(createTurns(), 1)
  const { promise: isDue, resolve: due } = Promise.withResolvers<void>()
  const body = Readable.from([Buffer.alloc(1), Buffer.alloc(1)])
  const received = bodies.receive('ana', body, async (pieces) => {
    let count = 0
    for await (const _piece of pieces) {
      if (count++ === 0) setTimeout(() => due(), 5)
      await isDue
    }
    return count
  })
  expect(await received).toBe(2)
})

test('a person sends six at once', async () => {
  const bodies = createBodies(createTurns())
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const send = () => bodies.receive('ana', Readable.from([]), () => over)
  const six = Array.from({ length: 6 }, send)
  await expect(send()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await bodies.receive('ben', Readable.from([]), async () => {})
  end()
  await Promise.all(six)
  await send()
})
