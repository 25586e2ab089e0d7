import { expect, onTestFinished, test } from 'vitest'
import type { ChangeOutcome, TableChange } from '../../src/table/changes/change.ts'
import { createRowLives } from '../../src/table/changes/row-lives.ts'
import { runUndo } from '../../src/table/history/undo.ts'
import type { RowImage } from '../../src/table/source/ledger-entry.ts'
import { everything } from '../../src/table/source/predicate.ts'
import { admin } from '../table-of.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { HISTORIES, openChanges } from './opened-changes.ts'

/** Opens the data of a place with its ledger beside it, or apart. */
async function open(place: MetadataPlace, isBeside: boolean, setUp: readonly string[] = []) {
  await place.run('drop table if exists crates')
  await place.run('create table crates (id int primary key, label varchar(20))')
  await place.run(`insert into crates values (1, 'pears'), (2, 'figs')`)
  for (const statement of setUp) await place.run(statement)
  const { source, catalog, ledger, door } = await openChanges(place, { isBeside })
  const services = {
    ...{ source, catalog: () => catalog, ledger, door, historyHref: '/history' },
    href: (table: string) => `/tables/${table}`,
  }
  const reader = { locale: 'en-US', language: 'en', timeZone: 'UTC' }
  return {
    ledger,
    door,
    save: () =>
      door.save(admin, {
        door: 'form',
        tables: [
          {
            table: 'crates',
            rows: [
              { update: [1], set: { label: 'plums' } },
              { delete: [2] },
              { insert: { id: 3, label: 'dates' } },
            ],
          },
        ],
      }),
    change: (change: TableChange) => door.save(admin, { door: 'code', tables: [change] }),
    undo: (id: string) => runUndo(services, admin, { id, reader }),
    stored: () => place.run('select label from crates order by id'),
    tables: async () => (await source.describe()).tables.map(({ name }) => name),
  }
}

async function imagesIn(chunks: AsyncIterable<readonly RowImage[]>): Promise<RowImage[]> {
  const all: RowImage[] = []
  for await (const images of chunks) all.push(...images)
  return all
}

describeMetadata('the ledger', (place) => {
  test.each(HISTORIES)('%s tells which texts it holds', async (_, isBeside) => {
    const { ledger, change } = await open(place(), isBeside)
    await change({ table: 'crates', rows: [{ update: [1], set: { label: 'kept/a_Ü1.png' } }] })
    for (let id = 10; id < 13; id++)
      await change({ table: 'crates', rows: [{ insert: { id, label: `kept/${id}` } }] })
    await change({
      table: 'crates',
      rows: [{ update: [2], set: { label: '["kept/x","kept/y"]' } }],
    })
    const held = ['pears', 'kept/a_Ü1.png', 'kept/12', 'kept/y']
    const asked = [...held, 'kept/axÜ1.png', 'kept/z', 'plums']
    expect([...(await ledger.holding(asked))]).toEqual(held)
  })

  test.each(HISTORIES)('%s tells one row of a key from the next', async (_, isBeside) => {
    const { ledger, change } = await open(place(), isBeside)
    const ids: string[] = []
    for (const row of [
      { update: [1], set: { label: 'plums' } },
      { delete: [1] },
      { insert: { id: 1, label: 'dates' } },
      { update: [2], set: { label: 'limes' } },
    ]) {
      const outcome = await change({ table: 'crates', rows: [row] })
      ids.push((outcome.status === 'done' && outcome.entry) || '')
    }
    const entries = await ledger.list({ table: 'crates', keys: [[1], [2]], size: 4 })
    expect(entries.map(({ id }) => id)).toEqual(ids.toReversed())
    const lives = createRowLives(ledger)
    const present: string[] = []
    for (const entry of entries)
      for await (const images of ledger.images(entry.id, { table: 'crates' }))
        if ((await lives.ofPresentRows(entry, 'crates', images)).size > 0) present.push(entry.id)
    expect(present).toEqual([ids[3], ids[2]])
  })

  test.each(HISTORIES)('%s finds and forgets one of many rows', async (_, isBeside) => {
    const { ledger, change, undo, stored } = await open(place(), isBeside)
    const ids = Array.from({ length: 600 }, (__, at) => at + 10)
    const rows = ids.map((id) => ({ insert: { id, label: `crate ${id}` } }))
    await change({ table: 'crates', rows })
    const before = await stored()
    const set = { in: ids.map((id) => [id]), where: everything, set: { label: 'limes' } }
    const outcome = await change({ table: 'crates', sets: [set] })
    const entry = (outcome.status === 'done' && outcome.entry) || ''
    await expect.poll(async () => (await ledger.find(entry))?.state).toBe('done')
    const updated = { table: 'crates', inserted: 0, updated: 600, deleted: 0 }
    expect((await ledger.find(entry))?.tables).toEqual([updated])
    const [newest] = await ledger.list({ table: 'crates', key: [77], size: 1 })
    expect(newest?.id).toBe(entry)
    const [other] = await ledger.list({ table: 'crates', key: [2], size: 1 })
    expect(other?.id).not.toBe(entry)
    expect(await imagesIn(ledger.images(entry, { table: 'crates', key: [77] }))).toEqual([
      { table: 'crates', key: [77], before: { label: 'crate 77' }, after: { label: 'limes' } },
    ])
    expect([...(await ledger.holding(['crate 77', 'pear trees']))]).toEqual(['crate 77'])
    expect(await undo(entry)).toMatchObject({ status: 'done' })
    expect(await stored()).toEqual(before)
    await ledger.erase('crates', [77], admin)
    expect(await ledger.list({ table: 'crates', key: [77], size: 9 })).toEqual([])
    expect(await imagesIn(ledger.images(entry))).toHaveLength(599)
  })

  test('reads of many rows those sets alone that may hold one, the newest first', async () => {
    const run = (text: string) => place().run(text)
    const from = (first: number) => Array.from({ length: 600 }, (_, at) => first + at)
    const [few, others] = [from(1020), from(10_000)]
    const values = [...few, ...others].map((id) => `(${id}, 'crate')`).join(', ')
    const { ledger, change } = await open(place(), true, [`insert into crates values ${values}`])
    await run(`delete from tablewire_change_images where images = 'none'`)
    const setAll = async (ids: readonly number[], label: string) => {
      const set = { in: ids.map((id) => [id]), where: everything, set: { label } }
      const outcome = await change({ table: 'crates', sets: [set] })
      return (outcome.status === 'done' && outcome.entry) || ''
    }
    // Nothing can be read of it.
    const spoil = (id: string) =>
      run(`update tablewire_change_images set images = 'none' where change_id = '${id}'`)
    const list = async (key: number, size: number) =>
      (await ledger.list({ table: 'crates', key: [key], size })).map(({ id }) => id)
    const older = await setAll(few, 'dates')
    // As a text, 1025 would lie between 10000 and 10599.
    await spoil(await setAll(others, 'limes'))
    expect(await list(1025, 1)).toEqual([older])
    await run(
      `insert into tablewire_change_images select change_id, 99, table_name, 'none', last_key, last_key
        from tablewire_change_images where change_id = '${older}'`,
    )
    await ledger.erase('crates', [1025], admin)
    expect(await list(1025, 9)).toEqual([])
    const newer = await setAll(few, 'pears')
    await spoil(older)
    expect(await list(1030, 1)).toEqual([newer])
    await expect(list(1030, 2)).rejects.toThrow()
  })

  test.each(HISTORIES)('%s keeps each change, and takes it back', async (_, isBeside) => {
    const { ledger, save, undo, stored, tables } = await open(place(), isBeside)
    const before = await ledger.list({ size: 100 })
    const outcome = await save()
    if (outcome.status !== 'done' || outcome.entry === null)
      throw new Error(JSON.stringify(outcome))
    expect(await stored()).toEqual([['plums'], ['dates']])
    const [entry, ...older] = await ledger.list({ size: 100 })
    expect(older).toEqual(before)
    expect(entry).toMatchObject({ id: outcome.entry, door: 'form', by: { id: admin.id } })
    await expect.poll(async () => (await ledger.find(outcome.entry ?? ''))?.state).toBe('done')
    const own = place()
      .run('select count(*) from tablewire_changes')
      .then(
        (rows) => Number(rows[0]?.[0]),
        () => 0,
      )
    expect(await own).toBeGreaterThanOrEqual(isBeside ? 1 : 0)
    expect(await undo(outcome.entry)).toMatchObject({ status: 'done' })
    expect(await stored()).toEqual([['pears'], ['figs']])
    expect(await tables()).toEqual(['crates'])
  })

  test.each(HISTORIES)('%s keeps what an id was used for first', async (_, isBeside) => {
    const { ledger, door, stored } = await open(place(), isBeside)
    const id = `01${'0'.repeat(19)}USED${String(Number(isBeside))}`
    const write = async (label: string) =>
      door.apply(
        await door.propose(
          admin,
          { door: 'code', tables: [{ table: 'crates', rows: [{ update: [1], set: { label } }] }] },
          id,
        ),
      )
    expect(await write('plums')).toMatchObject({ status: 'done', entry: id })
    await expect.poll(async () => (await ledger.find(id))?.state).toBe('done')
    await expect(write('dates')).rejects.toThrow()
    expect(await stored()).toEqual([['plums'], ['figs']])
    expect(await ledger.find(id)).toMatchObject({ state: 'done' })
    const images = await ledger.images(id, { table: 'crates', key: [1] }).next()
    expect(images.value).toMatchObject([{ after: { label: 'plums' } }])
    expect(await ledger.list({ table: 'crates', keys: [[1]], size: 1 })).toMatchObject([{ id }])
  })

  test('keeps nothing of a change after which everything is as before', async () => {
    const { ledger, change } = await open(place(), true)
    const before = await ledger.list({ size: 100 })
    const set = { label: 'pears' }
    for (const same of [
      { table: 'crates', rows: [{ update: [1], set }] },
      { table: 'crates', sets: [{ in: [[1]], where: everything, set }] },
    ])
      expect(await change(same)).toMatchObject({ status: 'done', entry: null })
    expect(await ledger.list({ size: 100 })).toEqual(before)
    // A part that changes something is kept alone.
    const rows = [
      { update: [1], set },
      { update: [2], set: { label: 'dates' } },
    ]
    expect(await change({ table: 'crates', rows })).not.toMatchObject({ entry: null })
    expect(await ledger.list({ size: 100 })).toHaveLength(before.length + 1)
  })

  test('keeps an order of unique places and sums, and takes both back', async () => {
    const { change, undo } = await open(place(), true, [
      'drop table if exists shelves',
      'create table shelves (id int primary key, place int not null unique, n int)',
      'insert into shelves values (1, 1, 10), (2, 2, null), (3, 3, 30), (4, 4, 40)',
    ])
    onTestFinished(() =>
      place()
        .run('drop table shelves')
        .then(() => undefined),
    )
    const held = () => place().run('select place, n from shelves order by id')
    const before = await held()
    const done = async (outcome: Promise<ChangeOutcome>): Promise<string> => {
      const ended = await outcome
      if (ended.status !== 'done' || ended.entry === null) throw new Error(JSON.stringify(ended))
      return ended.entry
    }
    const moved = await done(
      change({ table: 'shelves', ranks: { column: 'place', at: [[[4], 1]] } }),
    )
    const set = { n: { add: 5 } }
    const added = await done(
      change({ table: 'shelves', sets: [{ in: [[1], [2], [3]], where: everything, set }] }),
    )
    expect(await held()).toEqual([
      [2, 15],
      [3, null],
      [4, 35],
      [1, 40],
    ])
    for (const entry of [added, moved]) expect(await undo(entry)).toMatchObject({ status: 'done' })
    expect(await held()).toEqual(before)
  })

  test('says how much it keeps, and forgets a row', async () => {
    const { ledger, save } = await open(place(), true)
    const outcome = await save()
    const id = (outcome.status === 'done' && outcome.entry) || ''
    const { changes, bytes } = await ledger.size()
    expect(changes).toBeGreaterThanOrEqual(1)
    if (place().engine === 'sqlite') expect(bytes).toBeNull()
    else expect(bytes).toBeGreaterThan(1000)
    const keys = async (key?: number) => {
      const found: unknown[] = []
      const query = { table: 'crates', ...(key !== undefined && { key: [key] }) }
      for await (const images of ledger.images(id, query))
        found.push(...images.map((one) => one.key))
      return found
    }
    const by = { id: 'ana', name: 'Ana' }
    const since = Date.now()
    await ledger.erase('crates', [1], by)
    expect([await keys(1), await keys()]).toEqual([[], [[2], [3]]])
    const erasures = await ledger.erasures({ table: 'crates', key: [1], since, size: 10 })
    expect(erasures).toMatchObject([{ table: 'crates', by }])
    expect(await ledger.erasures({ table: 'crates', key: [2], since, size: 10 })).toEqual([])
    await ledger.erase('crates', [2], by)
    expect(await ledger.find(id)).toMatchObject({ id })
    await ledger.erase('crates', [3], by)
    expect(await ledger.find(id)).toBeUndefined()
    expect((await ledger.size()).changes).toBeLessThan(changes)
  })

  test('an outcome that was told is not settled anew', async () => {
    const { ledger, save } = await open(place(), true)
    const outcome = await save()
    const id = (outcome.status === 'done' && outcome.entry) || ''
    await ledger.settle(id, 'void')
    expect(await ledger.find(id)).toMatchObject({ id, state: 'done' })
  })

  test('a large value is forgotten with the last row that held it', async () => {
    const text = place().engine === 'mysql' ? 'longtext' : 'text'
    const { ledger, change } = await open(place(), true, [
      'drop table if exists notes',
      `create table notes (id int primary key, body ${text})`,
    ])
    onTestFinished(() =>
      place()
        .run('drop table notes')
        .then(() => undefined),
    )
    const body = `\ufeff${'é'.repeat(2 ** 19)}`
    const rows = [1, 2].map((id) => ({ insert: { id, body } }))
    // Names no value, whatever it looks like.
    const other = { insert: { id: 3, body: '"$digest":"' } }
    const outcome = await change({ table: 'notes', rows: [...rows, other] })
    const id = (outcome.status === 'done' && outcome.entry) || ''
    const digests: string[] = []
    for await (const images of ledger.images(id, { table: 'notes', key: [1] }))
      for (const { after } of images) {
        const value = after?.['body']
        if (value && typeof value === 'object' && 'digest' in value) digests.push(value.digest)
      }
    const [digest = ''] = digests
    const by = { id: 'ana', name: 'Ana' }
    await ledger.erase('notes', [1], by)
    expect(await ledger.value(digest)).toBe(body)
    await ledger.erase('notes', [2], by)
    expect(await ledger.value(digest)).toBeUndefined()
  })
})
