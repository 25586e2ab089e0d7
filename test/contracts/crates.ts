/** Crates, of which every second one is full, and a list of them in which plans are made. */

import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { openJobStore } from '../../src/database/jobs/sql-job-store.ts'
import { LeaseRunner } from '../../src/jobs/lease-runner.ts'
import type { BulkAsk, PlanView } from '../../src/protocol/plan-view.ts'
import type { Selected } from '../../src/protocol/selection.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import { later } from '../../src/server/timer.ts'
import { actorSource } from '../../src/table/actor-source.ts'
import { entryId } from '../../src/table/changes/entry-id.ts'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import { createUndoJob } from '../../src/table/history/undo-job.ts'
import { createJobs } from '../../src/table/jobs/jobs.ts'
import { createListComponent } from '../../src/table/list/component.ts'
import { createTotals } from '../../src/table/list/totals.ts'
import type { PlanServices } from '../../src/table/plans/asking.ts'
import { createBulkJob } from '../../src/table/plans/bulk-job.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { anything } from '../kills/jars.ts'
import { openPlans } from '../plan-services.ts'
import { admin } from '../table-of.ts'
import type { MetadataPlace } from './metadata-places.ts'
import { openChanges } from './opened-changes.ts'

export const hrefOf = (table: string): string => `/tables/${table}`

/** How many there are. */
export const CRATES = 40

type Options = { readonly policy?: Policy; readonly definitions?: Definitions }

/** Anew. */
export async function openCrates(
  place: MetadataPlace,
  isBeside = false,
  { policy = anything, definitions: more = {} }: Options = {},
) {
  for (const table of ['stamps', 'crates']) await place.run(`drop table if exists ${table}`)
  await place.run(
    'create table crates (id int primary key, label varchar(20) not null, room int, fill decimal(8,2), price decimal(8,2))',
  )
  await place.run(`create table stamps (id int primary key, crate int not null,
    foreign key (crate) references crates (id) on delete cascade)`)
  const rows = Array.from(
    { length: CRATES },
    (_, i) => `(${i + 1}, 'crate ${i + 1}', ${i % 2}, ${i}.25, ${i}.5)`,
  )
  await place.run(`insert into crates values ${rows.join(', ')}`)
  await place.run('insert into stamps values (1, 1), (2, 1), (3, 2)')
  // By its values alone, it would be yes or no.
  const crates = { columns: { room: { kind: 'number' } }, ...more['crates'] } as const
  const changes = await openChanges(place, { isBeside, definitions: { crates }, policy })
  const { source, catalog, door, ledger } = changes
  let passed = 0
  const kept = await openPlans({ ledger, keptDays: 90, now: () => Date.now() + passed })
  onTestFinished(() => kept.close())
  const list = (query = '', plans: PlanServices = kept.plans) => {
    const component = createListComponent({
      ...{ source, catalog: () => catalog, door, plans, totals: createTotals(source) },
      href: hrefOf,
    })
    return testComponent(component, {
      ...{ actor: admin, params: { table: 'crates' }, query: new URLSearchParams(query) },
    })
  }
  return { ...changes, list, plans: kept.plans, pass: (ms: number) => void (passed += ms) }
}

/** Runs jobs in the same database. */
export async function openJobs(
  { source, catalog, door, ledger, plans }: OpenCrates,
  place: MetadataPlace,
  stepRows?: number,
) {
  const newId = () => entryId(Date.now(), randomBytes(10))
  const engine = new LeaseRunner({
    ...{ store: await openJobStore(place.address), node: newId(), now: Date.now, newId, later },
  })
  onTestFinished(() => engine.close())
  const services = { source, catalog: () => catalog, door, href: hrefOf }
  const jobs = createJobs({
    engine,
    kinds: [createBulkJob({ ...services, plans, stepRows }), createUndoJob({ door, ledger })],
    source: (actor) => actorSource(services, actor),
  })
  return { jobs, stateOf: async (id: string) => (await jobs.find(id))?.state }
}

export type OpenCrates = Awaited<ReturnType<typeof openCrates>>

type List = Awaited<ReturnType<OpenCrates['list']>>

export async function sealIn(list: List, selected: Selected, ask: BulkAsk): Promise<PlanView> {
  const sealed = await list.call.seal(selected, ask)
  if (sealed.status === 'sealed') return sealed.plan
  throw new Error(JSON.stringify(sealed.errors))
}

/** The id of a plan. */
export const idOf = ({ handle }: PlanView): string => handle.split('.')[0] ?? ''
