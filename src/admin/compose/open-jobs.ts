/** Opens the engine of jobs: their records, and how this node hears of them. */

import { openJobStore } from '../../database/jobs/sql-job-store.ts'
import { LeaseRunner, type LeaseRunnerOptions } from '../../jobs/lease-runner.ts'
import { later } from '../../server/timer.ts'
import type { JobEngine } from '../../table/source/job-engine.ts'
import type { RecordsPlace } from './records-place.ts'

export type JobsOptions = Pick<LeaseRunnerOptions, 'now' | 'newId'> & {
  readonly records: RecordsPlace
  /** Finds out about steps that were begun and not saved. Absent: there are no changes. */
  readonly settle?: (
    job: string,
    number: number,
  ) => ReturnType<NonNullable<LeaseRunnerOptions['settle']>>
  readonly log?: ((line: string, error?: unknown) => void) | undefined
}

/** Throws one plain sentence. */
export async function openJobs(options: JobsOptions): Promise<JobEngine> {
  const { records, settle, now, newId, log } = options
  const { address, ...how } = records
  return new LeaseRunner({
    store: await openJobStore(address, how),
    ...{ node: newId(), now, newId, later, report: log },
    ...(settle && { settle: ({ id }, number) => settle(id, number) }),
  })
}
