import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unlessStalled } from './bodies.ts'

const SENDERS = 20
const PIECES = 10

test('other work goes on between any two pieces, however many bodies arrive', async () => {
  let passed = 0
  const read = async () => {
    const body = Readable.from(Array.from({ length: PIECES }, () => Buffer.alloc(1)))
    for await (const _ of unlessStalled(body, 60_000)) passed++
  }
  const all = Promise.all(Array.from({ length: SENDERS }, read))
  const most: number[] = []
  while (passed < SENDERS * PIECES) {
    const before = passed
    await setImmediate()
    most.push(passed - before)
  }
  await all
  expect(Math.max(...most)).toBe(1)
})
