import { expect, test } from 'vitest'
import type { BulkAsk } from '../../src/protocol/plan-view.ts'
import { ALL_SELECTED, type Selected, selectedIn } from '../../src/protocol/selection.ts'
import type { PlanServices } from '../../src/table/plans/asking.ts'
import { type Chance, chanceOf } from '../simulator/chance.ts'
import { PLANNED_ROUNDS, SEED } from '../tier.ts'
import { CRATES, idOf, openCrates, type OpenCrates, sealIn } from './crates.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'

const relabel: BulkAsk = { do: 'edit', fields: { label: { how: 'set', text: 'done' } } }
const copy: BulkAsk = { do: 'edit', fields: { fill: { how: 'copy', column: 'price' } } }
const remove: BulkAsk = { do: 'delete' }

describeMetadata('a plan whose rows are changed by others', (place) => {
  /** Seals a plan over the first three crates, lets somebody change them, and writes it. */
  async function changedMeanwhile(ask: BulkAsk, change: string) {
    const { list } = await openCrates(place())
    const all = await list()
    const plan = await sealIn(all, ['1', '2', '3'], ask)
    await place().run(change)
    const before = await contents(place())
    const tried = await all.call.tryPlan(plan.handle)
    const result = await all.call.writePlan(plan.handle, null)
    return { before, tried, result }
  }

  test.each([
    ['a field that is set', relabel, `set label = 'theirs'`],
    ['a field that is copied', copy, 'set price = 99'],
    ['what is shown of a row that goes', remove, 'set fill = 99'],
    ['what a row that goes is called', remove, `set label = 'theirs'`],
  ])('writes nothing where %s was changed, and names the rows', async (_, ask, change) => {
    const of = await changedMeanwhile(ask, `update crates ${change} where id = 2`)
    expect(of.tried).toMatchObject({ status: 'refused', text: expect.stringContaining('changed') })
    expect(of.result).toMatchObject({
      ...{ status: 'changed', text: expect.stringContaining('have changed') },
      ...{ came: { count: '0' }, went: { count: '0' } },
      differ: { count: '1', rows: [{ key: '2' }] },
    })
    expect(await contents(place())).toEqual(of.before)
  })

  test.each([
    ['set', relabel, 'set fill = 99'],
    ['set, and back', relabel, 'set label = label'],
    ['shown of rows that go', remove, 'set price = 99'],
  ])('is written where another field than those %s was changed', async (_, ask, change) => {
    const { result } = await changedMeanwhile(ask, `update crates ${change} where id = 2`)
    expect(result).toMatchObject({ status: 'done', rows: 3 })
  })

  // The images of so many rows are taken column by column, and the rows known by the same values.
  test.each([
    ['set', relabel, `label = 'theirs'`],
    ['copied', copy, 'price = 99'],
    ['shown of rows that go', remove, 'fill = 99'],
  ])('of many rows compares what is %s', async (_, ask, change) => {
    const { list } = await openCrates(place())
    const rows = Array.from({ length: 600 }, (_, i) => `(${1000 - i}, 'more', 2, ${i}, ${i}.5)`)
    await place().run(`insert into crates values ${rows.join(', ')}`)
    const more = await list('filter.room.min=2')
    const [plan, again] = [
      await sealIn(more, ALL_SELECTED, ask),
      await sealIn(more, ALL_SELECTED, ask),
    ]
    await place().run(`update crates set ${change} where id = 700`)
    const before = await contents(place())
    expect(await more.call.writePlan(plan.handle, plan.typed)).toMatchObject({
      ...{ status: 'changed', differ: { count: '1', rows: [{ key: '700' }] } },
    })
    expect(await contents(place())).toEqual(before)
    await place().run(`update crates set label = 'more', price = 300.5, fill = 300 where id = 700`)
    const written = await more.call.writePlan(again.handle, again.typed)
    expect(written).toMatchObject({ status: 'done', rows: 600 })
  })

  test(
    'writes what was confirmed, whatever others write meanwhile',
    { timeout: 3_600_000 },
    async () => {
      const opened = await openCrates(place())
      const chance = chanceOf(SEED)
      const told = { done: 0, changed: 0 }
      for (let round = 0; round < PLANNED_ROUNDS; round++) {
        const { status, faults } = await interfere(place(), opened, { label: `r${round}`, chance })
        expect({ round, faults }).toEqual({ round, faults: [] })
        told[status]++
      }
      expect(told.done).toBeGreaterThan(0)
      expect(told.changed).toBeGreaterThan(0)
    },
  )

  test('that compares nothing is found out', async () => {
    const opened = await openCrates(place())
    const { store } = opened.plans
    async function* chunks(id: string) {
      for await (const { keys } of store.chunks(id)) yield { keys, digests: null }
    }
    const blind = new Proxy(store, {
      get: (of, name) => (name === 'chunks' ? chunks : Reflect.get(of, name).bind(of)),
    })
    const chance = chanceOf(SEED)
    const found: string[] = []
    for (let round = 0; found.length === 0 && round < 200; round++) {
      const plans = { ...opened.plans, store: blind }
      found.push(
        ...(await interfere(place(), opened, { label: `r${round}`, chance, plans })).faults,
      )
    }
    expect(found).not.toEqual([])
  })
})

const contents = (place: MetadataPlace) => place.run('select * from crates order by id')

async function matchingNow(place: MetadataPlace, selected: Selected): Promise<number[]> {
  const isIn = selectedIn(selected)
  const found = await place.run('select id from crates where room = 1 order by id')
  return found.map(([id]) => Number(id)).filter((id) => isIn(String(id)))
}

type Labels = ReadonlyMap<number, string>

const labelsIn = async (place: MetadataPlace): Promise<Labels> =>
  new Map(
    (await place.run('select id, label from crates')).map(([id, label]) => [
      Number(id),
      String(label),
    ]),
  )

type Interfering = {
  readonly label: string
  readonly chance: Chance
  readonly plans?: PlanServices
}

/** Somebody else changes which rows match, or what they hold: before the plan is written, or while it is. */
async function interfere(
  place: MetadataPlace,
  { list, plans: kept, ledger }: OpenCrates,
  { label, chance, plans = kept }: Interfering,
) {
  const full = await list('filter.room.min=1', plans)
  const selected = chance.happens(0.5)
    ? ALL_SELECTED
    : { except: [String(chance.between(1, CRATES))] }
  const isDeletion = chance.happens(0.3)
  const edit: BulkAsk = { do: 'edit', fields: { label: { how: 'set', text: label } } }
  // Some are so already, and belong to the plan all the same.
  if (chance.happens(0.5)) {
    const id = chance.between(1, CRATES)
    await place.run(
      `update crates set label = '${label}' where id in (${id}, ${1 + (id % CRATES)})`,
    )
  }
  const plan = await sealIn(full, selected, isDeletion ? remove : edit)
  const sealed: number[] = []
  for await (const { keys } of plans.store.chunks(idOf(plan)))
    sealed.push(...keys.map(([id]) => Number(id)))
  const shown = await labelsIn(place)
  const toWrite = sealed.filter((id) => isDeletion || shown.get(id) !== label)
  const change = () => {
    const id = chance.between(1, CRATES)
    const to = chance.happens(0.5) ? 'room = 1 - room' : `label = 'other ${label}'`
    return runAgain(place, `update crates set ${to} where id in (${id}, ${1 + (id % CRATES)})`)
  }
  const isBefore = chance.happens(0.3)
  if (isBefore) await change()
  const matching = isBefore ? await matchingNow(place, selected) : sealed
  const held = isBefore ? await labelsIn(place) : shown
  const writing = full.call.writePlan(plan.handle, null)
  if (!isBefore && chance.happens(0.8)) await change()
  const result = await writing
  if (result.status !== 'done' && result.status !== 'changed')
    throw new Error(JSON.stringify(result))
  const isDone = result.status === 'done'
  const faults: string[] = []
  const now = await labelsIn(place)
  const gone = [...shown.keys()].filter((id) => !now.has(id))
  // What was written may have been changed again.
  const images = isDone ? await writtenBy(ledger, result.entry ?? '') : []
  const written = isDone
    ? images.map(({ id }) => id).toSorted(byNumber)
    : [...gone, ...toWrite.filter((id) => !isDeletion && now.get(id) === label)]
  if (String(written) !== String(isDone ? toWrite : []))
    faults.push(`wrote ${String(written)}, not ${String(toWrite)}`)
  if (isDone && String(matching) !== String(sealed))
    faults.push(`wrote though ${String(matching)} match`)
  if (isDone && sealed.some((id) => held.get(id) !== shown.get(id)))
    faults.push('wrote over what nobody was shown')
  for (const { id, held } of images)
    if (held !== shown.get(id))
      faults.push(`${id} held ${JSON.stringify(held)}, not ${shown.get(id)}`)
  await putBack(place, gone)
  return { status: result.status, faults }
}

/** MySQL and MariaDB may roll back a statement that stands in the way of another one, which may be this one. */
const runAgain = (place: MetadataPlace, statement: string): Promise<unknown> =>
  place.run(statement).catch((error: unknown) => {
    if (!/deadlock/i.test(String(error))) throw error
    return runAgain(place, statement)
  })

const byNumber = (one: number, other: number): number => one - other

/** By the history, the rows that were written, and what they held before. */
async function writtenBy(
  ledger: OpenCrates['ledger'],
  entry: string,
): Promise<{ readonly id: number; readonly held: unknown }[]> {
  await expect.poll(async () => (await ledger.find(entry))?.state).toBe('done')
  const written = []
  for await (const images of ledger.images(entry))
    for (const { table, key, before } of images)
      if (table === 'crates') written.push({ id: Number(key[0]), held: before?.['label'] })
  return written
}

const putBack = async (place: MetadataPlace, ids: readonly number[]): Promise<void> => {
  const rows = ids.map((id) => `(${id}, 'crate ${id}', 1, 0, 0)`)
  if (rows.length > 0) await place.run(`insert into crates values ${rows.join(', ')}`)
}
