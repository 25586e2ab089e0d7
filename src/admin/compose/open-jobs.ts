/** Opens the engine of jobs: where they are kept, and how this node hears of them. */

import { createHash } from 'node:crypto'
import { openJobStore } from '../../database/jobs/sql-job-store.ts'
import { engineAt } from '../../database/metadata/store.ts'
import { bullmqSignal } from '../../jobs/bullmq-signal.ts'
import { type JobSignal, LeaseRunner, type LeaseRunnerOptions } from '../../jobs/lease-runner.ts'
import { later } from '../../server/timer.ts'
import type { JobEngine } from '../../table/source/job-engine.ts'
import type { BusSetting } from '../realtime/realtime-settings.ts'
import type { RecordsPlace } from './records-place.ts'

export type OpenJobsOptions = Pick<LeaseRunnerOptions, 'now' | 'newId'> & {
  readonly records: RecordsPlace
  /** The records' server and database; nodes that share it share their jobs. */
  readonly place: string
  readonly bus: BusSetting | undefined
  /** Finds out about a step that was begun and not saved. Absent: nothing is written step by step. */
  readonly settle?: (
    job: string,
    number: number,
  ) => ReturnType<NonNullable<LeaseRunnerOptions['settle']>>
  readonly log?: ((line: string, error?: unknown) => void) | undefined
}

/** Jobs of a node that run at once. */
const AT_ONCE = 4

/** Throws one plain sentence. */
export async function openJobs(options: OpenJobsOptions): Promise<JobEngine> {
  const { records, settle, now, newId, log } = options
  const { address, ...how } = records
  const [store, signal] = await Promise.all([openJobStore(address, how), openSignal(options)])
  return new LeaseRunner({
    ...{ store, signal, node: newId(), now, newId, later, report: log, atOnce: AT_ONCE },
    ...(settle && { settle: ({ id }, number) => settle(id, number) }),
  })
}

/** Records in a file are of one node, and without Redis nodes look for jobs by themselves. */
async function openSignal({
  records,
  place,
  bus,
  log,
}: OpenJobsOptions): Promise<JobSignal | undefined> {
  if (bus?.kind !== 'redis' || engineAt(records.address) === 'sqlite') return undefined
  const digest = createHash('sha256').update(place).digest('base64url').slice(0, 22)
  try {
    return await bullmqSignal({
      ...{ url: bus.url, name: `tablewire-jobs-${digest}`, atOnce: AT_ONCE },
      report: (error) =>
        log?.(
          `${new URL(bus.url).host} cannot be reached: nodes look for jobs until it is back.`,
          error,
        ),
    })
  } catch (error) {
    log?.('Nodes look for jobs each second, because BullMQ cannot be used.', error)
    return undefined
  }
}
