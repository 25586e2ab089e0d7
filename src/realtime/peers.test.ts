import { expect, test, vi } from 'vitest'
import { createClock } from '../../test/simulator/clock.ts'
import type { Bus } from './bus.ts'
import { type BusMessage, writeMessage } from './bus-message.ts'
import { Peers } from './peers.ts'
import { Rooms } from './rooms.ts'

/** A node whose bus and clock the test has. */
function start() {
  const clock = createClock()
  const missed = vi.fn<() => void>()
  let heard: (text: string) => void = () => {}
  const bus: Bus = {
    ...{ isUp: () => true, send: () => true, put() {}, get: async () => undefined },
    open: (listener) => void (heard = listener.heard),
    close: async () => {},
  }
  const nothing = () => {}
  const peers = new Peers({
    ...{ node: 'own', bus, clock, missed },
    seal: { seal: (_, text) => text, open: (_, sealed) => sealed },
    rooms: new Rooms({
      ...{ occupied: nothing, vacated: nothing, joined: nothing, left: nothing },
      ...{ counted: nothing, changedHere: nothing },
    }),
    ...{ deliver: nothing, withdraw: nothing, terminate: nothing },
  })
  const hear = (number: number, message: BusMessage = { kind: 'alive' }) =>
    heard(writeMessage({ node: 'other', number, at: clock.now(), message }))
  return { peers, hear, pass: (ms: number) => clock.runUntil(clock.now() + ms) }
}

test('a node that is gone is remembered as long as its messages might be repeated, and no longer', async () => {
  const { peers, hear, pass } = start()
  for (const number of [1, 2, 3]) hear(number)
  hear(4, { kind: 'end' })
  expect(peers.size).toBe(0)
  await pass(110_000)
  hear(1)
  expect([peers.refused, peers.size]).toEqual([1, 0])
  await pass(15_000)
  hear(1)
  expect([peers.refused, peers.size]).toEqual([1, 1])
})
