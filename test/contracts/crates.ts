/** Crates, of which every second one is full, and a list of them in which plans are made. */

import { onTestFinished } from 'vitest'
import type { BulkAsk, PlanView } from '../../src/protocol/plan-view.ts'
import type { Selected } from '../../src/protocol/selection.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import { createListComponent } from '../../src/table/list/component.ts'
import { createTotals } from '../../src/table/list/totals.ts'
import type { PlanServices } from '../../src/table/plans/asking.ts'
import { openPlans } from '../plan-services.ts'
import { admin } from '../table-of.ts'
import type { MetadataPlace } from './metadata-places.ts'
import { openChanges } from './opened-changes.ts'

/** How many there are. */
export const CRATES = 40

/** Anew. */
export async function openCrates(place: MetadataPlace, isBeside = false) {
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
  const definitions = { crates: { columns: { room: { kind: 'number' } } } } as const
  const changes = await openChanges(place, { isBeside, definitions })
  const { source, catalog, door, ledger } = changes
  let passed = 0
  const kept = await openPlans({ ledger, keptDays: 90, now: () => Date.now() + passed })
  onTestFinished(() => kept.close())
  const list = (query = '', plans: PlanServices = kept.plans) => {
    const component = createListComponent({
      ...{ source, catalog: () => catalog, door, plans, totals: createTotals(source) },
      href: (table) => `/tables/${table}`,
    })
    return testComponent(component, {
      ...{ actor: admin, params: { table: 'crates' }, query: new URLSearchParams(query) },
    })
  }
  return { ...changes, list, plans: kept.plans, pass: (ms: number) => void (passed += ms) }
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
