/** Every job engine over every engine of records. */

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openJobStore } from '../../src/database/jobs/sql-job-store.ts'
import { bullmqSignal } from '../../src/jobs/bullmq-signal.ts'
import { LeaseRunner } from '../../src/jobs/lease-runner.ts'
import type { JobStore } from '../../src/table/source/job-store.ts'
import { HandClock, jobsBehave, LEASE_MS, type OpenEngine } from './jobs.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { REDIS } from './servers.ts'
import { openProxy } from './tcp-proxy.ts'

let id = 0

/** Engines that share the jobs of a place; with the name of a queue, they hear of each other by BullMQ. */
const engines =
  (place: () => MetadataPlace, queue?: () => string, url = REDIS.href): OpenEngine =>
  async ({ clock, kept, ...options }) => {
    const { atOnce = 4 } = options
    return new LeaseRunner({
      ...options,
      store: told(await openJobStore(place().address, { now: clock.now }), kept),
      ...{ now: clock.now, later: clock.later, leaseMs: LEASE_MS, idleMs: 50 },
      newId: () => `job ${++id}`,
      ...(queue && { signal: await bullmqSignal({ url, name: queue(), atOnce }) }),
    })
  }

function told(store: JobStore, kept: () => void = () => {}): JobStore {
  const keep = store.keep.bind(store)
  store.keep = async (...args) => {
    const state = await keep(...args)
    setImmediate(kept)
    return state
  }
  return store
}

async function empty(place: MetadataPlace): Promise<void> {
  await (await openJobStore(place.address)).close()
  await place.run('delete from tablewire_jobs')
}

let queues = 0
const newQueue = (): string => `tablewire-jobs-test-${process.pid}-${Date.now()}-${++queues}`

describeMetadata('jobs', (place) => {
  beforeEach(() => empty(place()))
  describe('of the lease runner', () => jobsBehave(engines(place)))

  test('whose step was saved with what it wrote are not written once more for it', async () => {
    const store = await openJobStore(place().address)
    onTestFinished(() => store.close())
    const by = { id: 'ana', name: 'Ana' }
    const bounds = { ofPerson: 9, inAll: 9, now: 1, newId: () => 'saved' }
    await store.add({ kind: 'count', by, tables: [], input: null, key: 'k' }, bounds)
    const lease = { node: 'a', until: 100 }
    const claimed = await store.claim({ now: 2, lease, kinds: ['count'], ofPerson: 9 })
    const { hold } = claimed!
    const step = { number: 1, checkpoint: 1, progress: { done: 1, total: 3 } }
    expect(await store.save(hold, { ...step, now: 3 })).toBe('held')
    expect(await store.save(hold, { ...step, now: 4 })).toBe('held')
    expect(await store.find('saved')).toMatchObject({ changedAt: 3, progress: { done: 1 } })
    // The answer to the one before was lost: this one is another.
    expect(await store.save(hold, { ...step, checkpoint: 2, now: 5 })).toBe('held')
    expect(await store.find('saved')).toMatchObject({ changedAt: 5, checkpoint: 2 })
    await store.ask('saved', 'pause', 5)
    expect(await store.save(hold, { ...step, checkpoint: 2, now: 6 })).toBe('pause')
    expect(await store.save({ ...hold, fence: hold.fence - 1 }, { ...step, now: 7 })).toBe('lost')
  })

  test('that end the processes that run them are not begun for ever', async () => {
    const clock = new HandClock()
    const store = await openJobStore(place().address, { now: clock.now })
    const by = { id: 'ana', name: 'Ana' }
    const bounds = { ofPerson: 9, inAll: 9, now: clock.time, newId: () => 'deadly' }
    await store.add({ kind: 'count', by, tables: [], input: null, key: 'k' }, bounds)
    const taken: number[] = []
    for (let run = 0; run < 22; run++) {
      const lease = { node: 'a', until: clock.time + LEASE_MS }
      const claimed = await store.claim({ now: clock.time, lease, kinds: ['count'], ofPerson: 9 })
      taken.push(claimed?.failures ?? -1)
      clock.time += LEASE_MS
    }
    expect(taken.slice(0, 3)).toEqual([0, 1, 2])
    await store.close()
    const report = vi.fn()
    const engine = await engines(place)({ node: 'b', clock, report })
    onTestFinished(() => engine.close())
    engine.handle('count', () => expect.unreachable())
    await vi.waitUntil(async () => (await engine.find('deadly'))?.state === 'failed')
    expect(report).toHaveBeenCalledOnce()
  })
})

describeMetadata(
  'jobs with Redis',
  (place) => {
    let queue = ''
    beforeEach(async () => {
      await empty(place())
      queue = newQueue()
    })
    describe('of BullMQ', () => jobsBehave(engines(place, () => queue)))

    test('go on while Redis is away, and no job runs twice or is lost', async () => {
      const proxy = await openProxy(Number(REDIS.port || 6379), REDIS.hostname)
      onTestFinished(() => proxy.close())
      const clock = new HandClock()
      const open = engines(place, () => queue, `redis://127.0.0.1:${proxy.port}`)
      const nodes = await Promise.all(['a', 'b'].map((node) => open({ node, clock })))
      const runs: string[] = []
      for (const node of nodes)
        node.handle('count', async (run) => {
          await run.save({ checkpoint: null, progress: { done: 1, total: 1 } })
          runs.push(run.id)
          return null
        })
      const enqueue = async (key: string) => {
        const by = { id: key, name: key }
        const { id } = await nodes[0]!.enqueue({
          ...{ kind: 'count', by, tables: [], input: null, key },
        })
        return id
      }
      const ends = (job: string) =>
        vi.waitUntil(async () => {
          clock.pass(20)
          return (await nodes[1]!.find(job))?.state === 'done'
        })
      const before = await enqueue('before')
      await ends(before)
      await proxy.goDown()
      const during = await Promise.all(['1', '2', '3'].map(enqueue))
      for (const job of during) await ends(job)
      await proxy.comeBack()
      const after = await enqueue('after')
      await ends(after)
      await Promise.all(nodes.map((node) => node.close()))
      expect(runs.toSorted()).toEqual([before, ...during, after].toSorted())
    })

    test('are given to a node that has not started them, without it looking for them', async () => {
      const [clock, still] = [new HandClock(), new HandClock()]
      const open = engines(place, () => queue)
      const one = await open({ node: 'a', clock: still })
      const other = await open({ node: 'b', clock })
      onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined))
      other.handle('count', async () => 'other')
      // Until they have connected, nobody is told; each one more is of a person of its own.
      const jobs: string[] = []
      const done = await vi.waitUntil(
        async () => {
          const key = crypto.randomUUID()
          const by = { id: key, name: key }
          const job = { kind: 'count', by, tables: [], input: null, key }
          jobs.push((await one.enqueue(job)).id)
          const found = await Promise.all(jobs.map((id) => one.find(id)))
          return found.find((it) => it?.state === 'done')
        },
        { timeout: 30_000, interval: 250 },
      )
      expect(done).toMatchObject({ result: 'other' })
    })
  },
  ['sqlite'],
)
