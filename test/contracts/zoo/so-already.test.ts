import { beforeAll, expect, onTestFinished } from 'vitest'
import { ALL_SELECTED } from '../../../src/protocol/selection.ts'
import { testComponent } from '../../../src/server/component/test-component.ts'
import { createListComponent } from '../../../src/table/list/component.ts'
import { createTotals } from '../../../src/table/list/totals.ts'
import { decodeContent } from '../../../src/table/plans/plan-content.ts'
import { writeText } from '../../../src/table/record/form/write-text.ts'
import { everything } from '../../../src/table/source/predicate.ts'
import type { KeyValues, Value } from '../../../src/table/source/value.ts'
import { nightly } from '../../nightly.ts'
import { openPlans } from '../../plan-services.ts'
import { admin } from '../../table-of.ts'
import { hrefOf, idOf } from '../crates.ts'
import { describeMetadata } from '../metadata-places.ts'
import { openChanges } from '../opened-changes.ts'
import { typedIn } from './zoo.ts'
import { createRows } from './zoo-rows.ts'
import { ZOOS } from './zoos.ts'

const TABLE = 'zoo_so'

/**
 * Texts that a database writes in a way of its own, such as the letters of an identifier, and zeros that it drops or adds: they count as changes, also in a row that
 * holds them so. And one moment in two spellings, which SQLite keeps as they are: it counts as no change.
 */
const APART: ReadonlySet<string> = new Set([
  ...['v_interval P1M', 'v_range [1,2]', 'v_jsonb {"b":1,  "a":1.50}', 'v_hstore a=>1, b=>NULL'],
  ...['v_numeric 1.50', 'v_path $.a', 'v_set a,b', 'v_moment 2024-02-29T12:00', 'v_money 1.5'],
  'v_uuid FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
])

describeMetadata('plans over the type zoo', (place) => {
  beforeAll(async () => {
    for (const statement of ZOOS[place().engine].setUp) await place().run(statement)
  })

  const name = 'say how many rows change, as the database does, whatever is typed'
  nightly.lengthy(name, { timeout: 600_000 }, async () => {
    await createRows(place(), TABLE)
    const { source, catalog, door } = await openChanges(place(), { isBeside: true })
    const { plans, close } = await openPlans({ keptDays: 90, now: Date.now })
    onTestFinished(close)
    const component = createListComponent({
      ...{ source, catalog: () => catalog, door, plans, totals: createTotals(source) },
      href: hrefOf,
    })
    const list = await testComponent(component, { actor: admin, params: { table: TABLE } })
    const { access } = catalog.open(admin, TABLE)
    const keys: KeyValues[] = []
    for await (const some of source.keys(access, everything)) keys.push(...some)
    const faults: string[] = []
    let planned = 0
    for (const [name, { edges }] of Object.entries(ZOOS[place().engine].columns)) {
      const column = access.table.columns.find((one) => one.name === name)
      const held: Value[] = []
      const note = ([value = null]: readonly Value[]) => (held.push(value), null)
      for await (const _ of source.digests(access, everything, [name], { note }));
      const texts = new Set([
        ...edges.map(typedIn),
        ...held.map((value) => writeText(value, column)),
      ])
      for (const text of texts) {
        const fields = { [name]: { how: 'set', text } } as const
        const sealed = await list.call
          .seal(ALL_SELECTED, { do: 'edit', fields })
          .catch((error: unknown) => String(error))
        if (typeof sealed === 'string' || sealed.status !== 'sealed') continue
        const plan = await plans.store.find(idOf(sealed.plan))
        const { write } = decodeContent(plan?.content ?? '')
        if (!('set' in write)) continue
        const sets = [{ in: keys, where: everything, ...write }]
        const change = { door: 'bulk', tables: [{ table: TABLE, sets }] } as const
        const found = await door
          .rehearse(await door.propose(admin, change))
          .catch((error: unknown) => String(error))
        await list.call.dropPlan(sealed.plan.handle)
        // What the database refuses changes none.
        if (typeof found === 'string' || found.status !== 'done') continue
        planned++
        const updated = found.recorded.tables[0]?.updated ?? 0
        if (updated !== sealed.plan.rows && !APART.has(`${name} ${text}`))
          faults.push(`${name} ${JSON.stringify(text)}: ${sealed.plan.rows}, not ${updated}`)
      }
    }
    expect(faults).toEqual([])
    expect(planned).toBeGreaterThan(50)
  })
})
