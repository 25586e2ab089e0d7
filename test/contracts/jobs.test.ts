import { openJobStore } from '../../src/database/jobs/sql-job-store.ts'
import { LeaseRunner } from '../../src/jobs/lease-runner.ts'
import { beforeEach, describe } from 'vitest'
import type { JobStore } from '../../src/table/source/job-store.ts'
import { jobsBehave, LEASE_MS, type OpenEngine } from './jobs.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'

let id = 0

/** Engines that share the jobs of a place. */
const leaseRunner =
  (place: () => MetadataPlace): OpenEngine =>
  async ({ clock, kept, ...options }) =>
    new LeaseRunner({
      ...options,
      store: told(await openJobStore(place().address, { now: clock.now }), kept),
      ...{ now: clock.now, later: clock.later, leaseMs: LEASE_MS, idleMs: 50 },
      newId: () => `job ${++id}`,
    })

function told(store: JobStore, kept: () => void = () => {}): JobStore {
  const keep = store.keep.bind(store)
  store.keep = async (...args) => {
    const state = await keep(...args)
    setImmediate(kept)
    return state
  }
  return store
}

describeMetadata('jobs', (place) => {
  beforeEach(async () => {
    await (await openJobStore(place().address)).close()
    await place().run('delete from tablewire_jobs')
  })
  describe('of the lease runner', () => jobsBehave(leaseRunner(place)))
})
