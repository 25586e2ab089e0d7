import { expect, onTestFinished, test } from 'vitest'
import { testComponent } from '../../src/server/component/test-component.ts'
import type { TableChange } from '../../src/table/changes/change.ts'
import { runUndo } from '../../src/table/history/undo.ts'
import { createListComponent } from '../../src/table/list/component.ts'
import { createTotals } from '../../src/table/list/totals.ts'
import type { RowImage } from '../../src/table/source/ledger-entry.ts'
import { everything } from '../../src/table/source/predicate.ts'
import { openPlans } from '../plan-services.ts'
import { admin } from '../table-of.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { HISTORIES, openChanges } from './opened-changes.ts'

/** Names that every object of JavaScript has of its own accord. */
const NAMES = ['constructor', 'prototype', '__proto__', 'hasOwnProperty'] as const

const ROWS = 600
const KEYS = Array.from({ length: ROWS }, (_, at) => [at + 1])

const valuesOf = (text: string) => Object.fromEntries(NAMES.map((name) => [name, text]))

async function open(place: MetadataPlace, isBeside: boolean) {
  const quoted = NAMES.map((name) => (place.engine === 'mysql' ? `\`${name}\`` : `"${name}"`))
  await place.run('drop table if exists results')
  await place.run(
    `create table results (id int primary key, ${quoted.map((name) => `${name} varchar(20)`).join()})`,
  )
  const rows = KEYS.map(([id]) => `(${id}, ${quoted.map(() => "'was'").join()})`)
  await place.run(`insert into results values ${rows.join()}`)
  const changes = await openChanges(place, { isBeside })
  const { source, catalog, door, ledger } = changes
  const kept = await openPlans({ ledger, keptDays: 90 })
  onTestFinished(async () => {
    await kept.close()
    await place.run('drop table results')
  })
  const services = { source, catalog: () => catalog, door, href: (table: string) => `/${table}` }
  const reader = { locale: 'en-US', language: 'en', timeZone: 'UTC' }
  return {
    ...changes,
    change: async (change: TableChange) => {
      const outcome = await door.save(admin, { door: 'code', tables: [change] })
      return (outcome.status === 'done' && outcome.entry) || ''
    },
    undo: (id: string) =>
      runUndo({ ...services, ledger, historyHref: '/history' }, admin, { id, reader }),
    list: () =>
      testComponent(
        createListComponent({ ...services, plans: kept.plans, totals: createTotals(source) }),
        { actor: admin, params: { table: 'results' } },
      ),
    /** Of how many rows all these columns are so. */
    held: async (how: string) => {
      const each = quoted.map((name) => `${name} ${how}`).join(' and ')
      const [row] = await place.run(`select count(*) from results where ${each}`)
      return Number(row?.[0])
    },
  }
}

describeMetadata('columns with names that objects have', (place) => {
  test.each(HISTORIES)('%s: row by row, the history keeps them', async (_, isBeside) => {
    const { change, undo, ledger, held } = await open(place(), isBeside)
    const entry = await change({ table: 'results', rows: [{ update: [5], set: valuesOf('is') }] })
    const images: RowImage[] = []
    for await (const some of ledger.images(entry)) images.push(...some)
    const [before, after] = [valuesOf('was'), valuesOf('is')]
    expect(JSON.stringify(images)).toBe(
      JSON.stringify([{ table: 'results', key: [5], before, after }]),
    )
    expect(await undo(entry)).toMatchObject({ status: 'done' })
    expect(await held("= 'was'")).toBe(ROWS)
  })

  test.each(HISTORIES)('%s: of many rows at once as well', async (_, isBeside) => {
    const { change, undo, held } = await open(place(), isBeside)
    const sets = [{ in: KEYS, where: everything, set: valuesOf('is') }]
    const entry = await change({ table: 'results', sets })
    expect(await held("= 'is'")).toBe(ROWS)
    expect(await undo(entry)).toMatchObject({ status: 'done' })
    expect(await held("= 'was'")).toBe(ROWS)
  })

  test('a row that leaves them out is added, deleted, and brought back', async () => {
    const { change, undo, held } = await open(place(), false)
    await change({ table: 'results', rows: [{ insert: { id: 601 } }] })
    const deleted = await change({ table: 'results', rows: [{ delete: [601] }, { delete: [1] }] })
    expect(await undo(deleted)).toMatchObject({ status: 'done' })
    expect([await held("= 'was'"), await held('is null')]).toEqual([ROWS, 1])
  })

  test('a sealed plan writes them', async () => {
    const { list, held } = await open(place(), false)
    const all = await list()
    const fields = Object.fromEntries(
      NAMES.map((name) => [name, { how: 'set', text: 'is' } as const]),
    )
    const sealed = await all.call.seal(['1', '2'], { do: 'edit', fields })
    if (sealed.status !== 'sealed') throw new Error(JSON.stringify(sealed.errors))
    expect(await all.call.writePlan(sealed.plan.handle, null)).toMatchObject({ status: 'done' })
    expect([await held("= 'is'"), await held("= 'was'")]).toEqual([2, ROWS - 2])
  })
})
