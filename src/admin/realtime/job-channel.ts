/** The channel of a table's jobs: tells whoever may see the table that one of them has changed. */

import * as v from 'valibot'
import type { Broadcast } from '../../server/channel/channel.ts'
import { defineChannel } from '../../server/channel/channel.ts'
import { later } from '../../server/timer.ts'
import type { Catalog } from '../../table/catalog.ts'
import { JOB_CHANNEL, jobChannelOf } from '../../table/jobs/job-channel.ts'
import type { JobEngine } from '../../table/source/job-engine.ts'

export const createJobChannel = (catalog: () => Catalog) =>
  defineChannel(JOB_CHANNEL, {
    authorize: ({ actor, params }) => catalog().find(actor, params.table) !== undefined,
    events: { changed: v.null() },
  })

/** Steps that come within this time are told together, ms. */
const TOGETHER_MS = 400

/** Tells of what happens to jobs on this node; returns what ends that. */
export function tellOfJobs(
  engine: Pick<JobEngine, 'watch'>,
  publish: (broadcast: Broadcast) => void,
): () => void {
  const tables = new Set<string>()
  let cancel: (() => void) | undefined
  const tell = (): void => {
    cancel = undefined
    for (const table of tables) {
      const channel = jobChannelOf(table)
      if (channel !== undefined) publish({ channel, name: 'changed', detail: null })
    }
    tables.clear()
  }
  const stop = engine.watch((job) => {
    for (const table of job.tables) tables.add(table)
    cancel ??= later(tell, TOGETHER_MS)
  })
  return () => {
    stop()
    cancel?.()
  }
}
