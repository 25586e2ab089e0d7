/** What every job engine promises, as a suite over engines that share one database of jobs. */

import { setTimeout as after } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Json } from '../../src/protocol/json.ts'
import { AppError } from '../../src/server/app-error.ts'
import {
  ENDED,
  type Job,
  type JobEngine,
  type JobRequest,
  type JobRun,
  JobUncertain,
} from '../../src/table/source/job-engine.ts'
import type { SettledStep } from '../../src/table/source/job-store.ts'

/** Opens an engine of a node; all of a place share its jobs. */
export type OpenEngine = (node: NodeOptions) => Promise<JobEngine>

export type NodeOptions = {
  readonly node: string
  readonly clock: HandClock
  readonly atOnce?: number
  readonly atOnceOfPerson?: number
  readonly queueOfPerson?: number
  readonly queue?: number
  readonly report?: (sentence: string, error: unknown) => void
  /** The step after the last one that was saved. */
  readonly settle?: () => Promise<SettledStep>
  /** Told each time that a lease was kept. */
  readonly kept?: () => void
}

/** A clock that is moved on by hand; timers that are due run then. */
export class HandClock {
  time = 1_800_000_000_000
  readonly #timers = new Set<{ readonly at: number; readonly task: () => void }>()

  now = (): number => this.time

  later = (task: () => void, delayMs: number): (() => void) => {
    const timer = { at: this.time + delayMs, task }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  pass(ms: number): void {
    this.time += ms
    for (const timer of this.#timers)
      if (timer.at <= this.time) {
        this.#timers.delete(timer)
        timer.task()
      }
  }
}

/** Of the engines under test. */
export const LEASE_MS = 1000

const request = (key: string, more: Partial<JobRequest> = {}): JobRequest => ({
  ...{ kind: 'count', by: { id: 'ana', name: 'Ana' }, tables: ['crates'], input: { to: 3 }, key },
  ...more,
})

const bo = { id: 'bo', name: 'Bo' }

/** Gates that handlers wait at; those that a test leaves closed are opened after it. */
const gates: { open(): void }[] = []

function gate(): { readonly reached: Promise<void>; wait(): Promise<void>; open(): void } {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const made = {
    reached: reached.promise,
    wait() {
      reached.resolve()
      return opened.promise
    },
    open: () => opened.resolve(),
  }
  gates.push(made)
  return made
}

const step = (done: number, total: number | null = null) => ({
  checkpoint: { next: done },
  progress: { done, total },
})

const hasEnded = ({ state }: Job): boolean => ENDED.some((end) => end === state)

/** Declares the suite; `open` is called anew by each test, with an empty database. */
export function jobsBehave(open: OpenEngine): void {
  let clock: HandClock
  let opened: JobEngine[]
  beforeEach(() => {
    clock = new HandClock()
    opened = []
  })
  afterEach(async () => {
    for (const one of gates.splice(0)) one.open()
    await Promise.all(opened.map((engine) => engine.close()))
  })

  async function node(name = 'a', options: Partial<NodeOptions> = {}): Promise<JobEngine> {
    const engine = await open({ clock, ...options, node: name })
    opened.push(engine)
    return engine
  }

  /** The job once it is as wanted; idle nodes look for jobs meanwhile. */
  async function reaches(
    engine: JobEngine,
    { id }: Job,
    is: (job: Job) => boolean = hasEnded,
    tickMs = 20,
  ): Promise<Job> {
    return vi.waitUntil(
      async () => {
        clock.pass(tickMs)
        const job = await engine.find(id)
        return job && is(job) ? job : false
      },
      { timeout: 50_000, interval: 5 },
    )
  }

  /** Counts to `input.to`, one step at a time, and notes what it has done. */
  const counter = (seen: number[], between: (at: number) => Promise<void> = async () => {}) =>
    async function count(run: JobRun): Promise<Json> {
      const to = Number((run.input as { to: number }).to)
      for (let at = run.progress.done + 1; at <= to; at++) {
        await between(at)
        await run.save(step(at, to))
        seen.push(at)
      }
      return { counted: to }
    }

  test('runs a job to its end, with its progress and result', async () => {
    const engine = await node()
    const seen: number[] = []
    engine.handle('count', counter(seen))
    const job = await engine.enqueue(request('k'))
    expect(job).toMatchObject({
      ...{ kind: 'count', state: 'waiting', by: { id: 'ana', name: 'Ana' }, tables: ['crates'] },
      ...{ input: { to: 3 }, result: null, asked: null, endedAt: null, run: null },
    })
    expect(await reaches(engine, job)).toMatchObject({
      ...{ state: 'done', result: { counted: 3 }, progress: { done: 3, total: 3 } },
      ...{ checkpoint: { next: 3 } },
    })
    expect(seen).toEqual([1, 2, 3])
  })

  test('tells of each step as it happens', async () => {
    const engine = await node()
    engine.handle('count', counter([]))
    const told: string[] = []
    const stop = engine.watch(({ state, progress: { done } }) => void told.push(`${state} ${done}`))
    await reaches(engine, await engine.enqueue(request('k')))
    await expect.poll(() => told.at(-1)).toBe('done 3')
    expect(told).toEqual([
      ...['waiting 0', 'running 0', 'running 1', 'running 2', 'running 3', 'done 3'],
    ])
    stop()
    await reaches(engine, await engine.enqueue(request('other')))
    expect(told).toHaveLength(6)
  })

  test('takes a request once for each key of a person', async () => {
    const engine = await node()
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await engine.enqueue(request('k'))).id),
    )
    expect(new Set(ids).size).toBe(1)
    const other = await engine.enqueue(request('k', { by: bo }))
    const next = await engine.enqueue(request('k2'))
    expect(new Set([...ids, other.id, next.id]).size).toBe(3)
    engine.handle('count', counter([]))
    await reaches(engine, next)
    expect((await engine.enqueue(request('k2'))).id).toBe(next.id)
  })

  test('bounds the queue of each person, and that of all', async () => {
    const engine = await node('a', { queueOfPerson: 2, queue: 3 })
    await engine.enqueue(request('1'))
    const second = await engine.enqueue(request('2'))
    await expect(engine.enqueue(request('3'))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await engine.enqueue(request('1', { by: bo }))
    await expect(engine.enqueue(request('2', { by: bo }))).rejects.toMatchObject({ code: 'BUSY' })
    expect((await engine.enqueue(request('2'))).id).toBe(second.id)
    await engine.ask(second.id, 'cancel')
    expect(await engine.enqueue(request('3'))).toMatchObject({ state: 'waiting' })
  })

  test('lists jobs by state, person and when they ended', async () => {
    const engine = await node()
    const [one, two] = [await engine.enqueue(request('1')), await engine.enqueue(request('2'))]
    const three = await engine.enqueue(request('3', { by: bo }))
    await engine.ask(one.id, 'cancel')
    const ids = async (query: object) =>
      (await engine.list({ size: 10, ...query })).map(({ id }) => id)
    expect(new Set(await ids({}))).toEqual(new Set([one.id, two.id, three.id]))
    expect(await ids({ states: ['cancelled'] })).toEqual([one.id])
    expect(await ids({ by: 'bo' })).toEqual([three.id])
    clock.time += 1000
    expect(await ids({ endedSince: clock.time, by: 'ana' })).toEqual([two.id])
    expect(await engine.list({ size: 1 })).toHaveLength(1)
  })

  test('fails with the code of the error, and says so', async () => {
    const report = vi.fn()
    const engine = await node('a', { report })
    engine.handle('count', () => Promise.reject(new AppError('FORBIDDEN')))
    const job = await reaches(engine, await engine.enqueue(request('k')))
    expect(job).toMatchObject({ state: 'failed', result: 'FORBIDDEN' })
    expect(report).toHaveBeenCalledOnce()
  })

  test('ends as uncertain what nobody can tell, and never runs it again', async () => {
    const engine = await node()
    const run = vi.fn(() => Promise.reject(new JobUncertain({ rows: 2 })))
    engine.handle('count', run)
    const job = await reaches(engine, await engine.enqueue(request('k')))
    expect(job).toMatchObject({ state: 'uncertain', result: { rows: 2 } })
    for (const ask of ['resume', 'cancel', 'pause'] as const)
      expect(await engine.ask(job.id, ask)).toBeUndefined()
    clock.pass(10 * LEASE_MS)
    await reaches(engine, await engine.enqueue(request('other')))
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('tries again after a failure that passes, from its last step', async () => {
    const engine = await node()
    const seen: number[] = []
    let isAway = true
    engine.handle(
      'count',
      counter(seen, async (at) => {
        if (at === 2 && isAway) throw new AppError('DATABASE_UNAVAILABLE')
      }),
    )
    const job = await engine.enqueue(request('k'))
    await reaches(engine, job, ({ state, progress }) => state === 'waiting' && progress.done === 1)
    isAway = false
    expect(await reaches(engine, job)).toMatchObject({ state: 'done' })
    expect(seen).toEqual([1, 2, 3])
  })

  test('waits for the outcome of a step however often it has to look', async () => {
    // More than the failures after which a job is given up.
    const LOOKS = 25
    let looks = 0
    const engine = await node('a', {
      settle: async () => ({ state: ++looks < LOOKS ? 'pending' : 'none' }),
    })
    const seen: number[] = []
    engine.handle('count', counter(seen))
    const { id } = await engine.enqueue(request('k'))
    // No time passes while it holds a lease, however long the database takes.
    const looked = async () => {
      const job = await engine.find(id)
      if (job?.state === 'waiting') clock.pass(2000)
      return looks >= LOOKS && job
    }
    const job = await vi.waitUntil(looked, { timeout: 50_000, interval: 5 })
    expect(await reaches(engine, job)).toMatchObject({ state: 'done' })
    expect(seen).toEqual([1, 2, 3])
  })

  describe('is asked', () => {
    test('to pause, and goes on where it was', async () => {
      const engine = await node()
      const [seen, held] = [new Array<number>(), gate()]
      engine.handle(
        'count',
        counter(seen, (at) => (at === 2 ? held.wait() : Promise.resolve())),
      )
      const job = await engine.enqueue(request('k'))
      await held.reached
      expect(await engine.ask(job.id, 'pause')).toMatchObject({ state: 'running', asked: 'pause' })
      held.open()
      const paused = await reaches(engine, job, ({ state }) => state === 'paused')
      // The step under way is finished.
      expect(paused).toMatchObject({ progress: { done: 2 }, asked: null })
      expect(await engine.ask(job.id, 'pause')).toBeUndefined()
      await engine.ask(job.id, 'resume')
      expect(await reaches(engine, job)).toMatchObject({ state: 'done' })
      expect(seen.at(-1)).toBe(3)
    })

    test('to end, and keeps what it has done', async () => {
      const engine = await node()
      const held = gate()
      engine.handle(
        'count',
        counter([], (at) => (at === 2 ? held.wait() : Promise.resolve())),
      )
      const job = await engine.enqueue(request('k'))
      await held.reached
      await engine.ask(job.id, 'cancel')
      held.open()
      expect(await reaches(engine, job)).toMatchObject({
        ...{ state: 'cancelled', progress: { done: 2, total: 3 }, asked: null },
      })
    })

    test.each([
      ['pause', 'cancel'],
      ['cancel', 'pause'],
    ] as const)('to %s, then to %s, and ends', async (first, second) => {
      const [one, other] = [await node('a'), await node('b')]
      const held = gate()
      one.handle(
        'count',
        counter([], (at) => (at === 2 ? held.wait() : Promise.resolve())),
      )
      const job = await one.enqueue(request('k'))
      await held.reached
      await one.ask(job.id, first)
      await other.ask(job.id, second)
      held.open()
      expect(await reaches(one, job)).toMatchObject({ state: 'cancelled', progress: { done: 2 } })
    })

    test('by another node', async () => {
      const [one, other] = [await node('a'), await node('b')]
      const held = gate()
      one.handle(
        'count',
        counter([], (at) => (at === 1 ? held.wait() : Promise.resolve())),
      )
      const job = await one.enqueue(request('k'))
      await held.reached
      await other.ask(job.id, 'cancel')
      held.open()
      expect(await reaches(other, job)).toMatchObject({ state: 'cancelled' })
    })

    test('while it waits', async () => {
      const engine = await node()
      const job = await engine.enqueue(request('k'))
      expect(await engine.ask(job.id, 'pause')).toMatchObject({ state: 'paused' })
      const run = vi.fn(async () => null)
      engine.handle('count', run)
      await reaches(engine, await engine.enqueue(request('other')))
      expect(run).toHaveBeenCalledOnce()
      expect(await engine.ask(job.id, 'cancel')).toMatchObject({ state: 'cancelled' })
      expect(await engine.ask('nothing', 'cancel')).toBeUndefined()
    })
  })

  describe('with several nodes', () => {
    test('runs each job once', async () => {
      const nodes = await Promise.all(
        ['a', 'b', 'c'].map((name) => node(name, { atOnceOfPerson: 4 })),
      )
      const runs: string[] = []
      for (const engine of nodes)
        engine.handle('count', async ({ id }) => {
          runs.push(id)
          await after(1)
          return null
        })
      const jobs = await Promise.all(
        Array.from({ length: 18 }, (_, at) =>
          nodes[at % 3]!.enqueue(
            request(`${at}`, { by: at % 2 ? bo : { id: 'ana', name: 'Ana' } }),
          ),
        ),
      )
      for (const job of jobs) await reaches(nodes[0]!, job)
      expect(runs.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
    })

    test('goes on elsewhere when a node is closed, which finishes the step under way', async () => {
      const [one, other] = [await node('a'), await node('b')]
      const [seen, held] = [new Array<number>(), gate()]
      one.handle(
        'count',
        counter(seen, (at) => (at === 2 ? held.wait() : Promise.resolve())),
      )
      const job = await one.enqueue(request('k'))
      await held.reached
      const closed = one.close()
      held.open()
      await closed
      opened = opened.filter((engine) => engine !== one)
      expect(await other.find(job.id)).toMatchObject({ state: 'waiting', progress: { done: 2 } })
      other.handle('count', counter(seen))
      expect(await reaches(other, job)).toMatchObject({ state: 'done' })
      expect(seen.filter((at) => at === 2).length + seen.filter((at) => at === 3).length).toBe(1)
    })

    test('takes over what a node that does not answer has left, which then saves nothing', async () => {
      const other = await node('b')
      const sleeping = new HandClock()
      const one = await node('a', { clock: sleeping })
      const [seen, held] = [new Array<number>(), gate()]
      one.handle(
        'count',
        counter(seen, (at) => (at === 2 ? held.wait() : Promise.resolve())),
      )
      const job = await one.enqueue(request('k'))
      await held.reached
      other.handle('count', counter(seen))
      clock.pass(LEASE_MS - 1)
      await reaches(other, await other.enqueue(request('mine')), hasEnded, 0)
      expect(await other.find(job.id)).toMatchObject({ state: 'running', progress: { done: 1 } })
      // The node wakes, and does not know how much time has passed.
      clock.pass(LEASE_MS)
      expect(await reaches(other, job)).toMatchObject({ state: 'done', progress: { done: 3 } })
      held.open()
      sleeping.time += 2 * LEASE_MS
      const last = await one.enqueue(request('last', { input: { to: 1 } }))
      await reaches(other, last)
      expect(await one.find(job.id)).toMatchObject({ state: 'done', progress: { done: 3 } })
    })

    test('keeps the lease of a long step, and stops before its end where it cannot', async () => {
      const kept = vi.fn()
      const engine = await node('a', { kept })
      const other = await node('b')
      const held = gate()
      let run: JobRun | undefined
      engine.handle('count', async (given) => {
        run = given
        await held.wait()
        await given.save(step(1))
        return null
      })
      const job = await engine.enqueue(request('k'))
      await held.reached
      other.handle('count', async () => 'other')
      for (let beats = 1; beats <= 9; beats++) {
        clock.pass(LEASE_MS / 2)
        await expect.poll(() => kept.mock.calls.length, { interval: 5 }).toBe(beats)
      }
      expect(run?.signal.aborted).toBe(false)
      expect(await other.find(job.id)).toMatchObject({ state: 'running' })
      // So long without a beat.
      clock.time += LEASE_MS * 0.8
      await expect(run!.save(step(9))).rejects.toMatchObject({ name: 'JobStopped', why: 'lost' })
      held.open()
    })
  })

  test('is fair: of two people, who has fewer jobs running comes first', async () => {
    const engine = await node('a', { atOnce: 2, atOnceOfPerson: 2 })
    const order: string[] = []
    const held = new Map<string, ReturnType<typeof gate>>()
    const jobs: Job[] = []
    for (const [key, by] of [
      ...[1, 2, 3].map((at) => [`ana ${at}`, { id: 'ana', name: 'Ana' }] as const),
      ['bo 1', bo] as const,
    ]) {
      clock.time++
      held.set(JSON.stringify(key), gate())
      jobs.push(await engine.enqueue(request(key, { by, input: key })))
    }
    engine.handle('count', async ({ input }) => {
      const name = JSON.stringify(input)
      order.push(name)
      await held.get(name)?.wait()
      return null
    })
    await expect.poll(() => order.length).toBe(2)
    expect(order).toEqual(['"ana 1"', '"bo 1"'])
    for (const one of held.values()) one.open()
    for (const job of jobs) await reaches(engine, job)
  })

  test('a handler is registered once', async () => {
    const engine = await node()
    engine.handle('count', async () => null)
    expect(() => engine.handle('count', async () => null)).toThrow('[count]')
  })
}
