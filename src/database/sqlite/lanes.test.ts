import { describe, expect, test } from 'vitest'
import { AppError } from '../../server/app-error.ts'
import { closing } from '../failure.ts'
import type { LaneEvents } from './lane.ts'
import { Lanes, type LanesOptions } from './lanes.ts'

type Opened = LaneEvents & { readonly posted: number[]; readonly ended: number[]; isHeld: boolean }

/** Lanes that answer when the test says so. */
function openLanes(options: Partial<LanesOptions> = {}): { lanes: Lanes; opened: Opened[] } {
  const opened: Opened[] = []
  const lanes = new Lanes({
    size: 1,
    queue: 2,
    timeoutMs: 60_000,
    downError: () => new AppError('DATABASE_UNAVAILABLE'),
    closedError: closing,
    timeoutError: () => new AppError('QUERY_TIMEOUT'),
    open: (events) => {
      const lane: Opened = { ...events, posted: [], ended: [], isHeld: false }
      opened.push(lane)
      return {
        post: ({ id }) => lane.posted.push(id),
        end: (id) => lane.ended.push(id),
        hold: (isBusy) => (lane.isHeld = isBusy),
        close: async () => undefined,
      }
    },
    ...options,
  })
  return { lanes, opened }
}

describe('lanes', () => {
  test('open when they are needed, and take one request after the other', async () => {
    const { lanes, opened } = openLanes()
    expect(opened).toHaveLength(0)
    const [first, second] = [lanes.ask({}), lanes.ask({})]
    expect(opened.map(({ posted }) => posted)).toEqual([[1]])
    opened[0]!.onAnswer('one')
    expect(await first).toBe('one')
    expect(opened[0]!.posted).toEqual([1, 2])
    opened[0]!.onAnswer('two')
    expect(await second).toBe('two')
    expect(opened[0]!.isHeld).toBe(false)
  })

  test('a lane that goes down takes its request with it, and another takes its place', async () => {
    const { lanes, opened } = openLanes()
    const [first, second] = [lanes.ask({}), lanes.ask({})]
    opened[0]!.onDown()
    await expect(first).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(opened[1]!.posted).toEqual([2])
    opened[1]!.onAnswer('two')
    expect(await second).toBe('two')
  })

  test('what waits is bounded', async () => {
    const { lanes, opened } = openLanes()
    const asked = [lanes.ask({}), lanes.ask({}), lanes.ask({})]
    expect(() => lanes.ask({})).toThrow(expect.objectContaining({ code: 'BUSY', retryAfter: 1 }))
    for (let i = 0; i < 3; i++) opened[0]!.onAnswer(i)
    expect(await Promise.all(asked)).toEqual([0, 1, 2])
  })

  test('a request that is given up keeps its lane until that has really ended it', async () => {
    const { lanes, opened } = openLanes()
    const controller = new AbortController()
    const [first, second] = [lanes.ask({}, { signal: controller.signal }), lanes.ask({})]
    controller.abort()
    await expect(first).rejects.toBe(controller.signal.reason)
    expect(opened[0]).toMatchObject({ ended: [1], posted: [1] })
    opened[0]!.onAnswer('too late')
    expect(opened[0]!.posted).toEqual([1, 2])
    opened[0]!.onAnswer('two')
    expect(await second).toBe('two')
  })

  test('a request that is given up while it waits is never begun', async () => {
    const { lanes, opened } = openLanes()
    const controller = new AbortController()
    const [first, second] = [lanes.ask({}), lanes.ask({}, { signal: controller.signal })]
    controller.abort()
    await expect(second).rejects.toBe(controller.signal.reason)
    opened[0]!.onAnswer('one')
    expect(await first).toBe('one')
    expect(opened[0]).toMatchObject({ posted: [1], ended: [] })
  })

  test('a request ends when its time is over', async () => {
    const { lanes, opened } = openLanes()
    await expect(lanes.ask({}, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
    expect(opened[0]!.ended).toEqual([1])
  })

  test('closing ends what runs and what waits, and takes nothing more', async () => {
    const { lanes } = openLanes()
    const asked = [lanes.ask({}), lanes.ask({})]
    const ended = Promise.allSettled(asked)
    await lanes.close()
    const told = { status: 'rejected', reason: closing() }
    expect(await ended).toEqual([told, told])
    expect(() => lanes.ask({})).toThrow(closing())
  })
})
