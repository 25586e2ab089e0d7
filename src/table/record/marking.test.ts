/** Rows that are marked as deleted and restored, by who may update the column. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { doorTo } from '../../../test/door-to.ts'
import { admin } from '../../../test/table-of.ts'
import type { RecordView } from '../../protocol/record-view.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import type { Definitions } from '../definition/define-table.ts'
import type { Grant, Policy } from '../source/access.ts'
import { everything } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'
import { createRecordComponent } from './component.ts'

let data: OpenDataFile
let source: RowSource

beforeEach(async () => {
  data =
    await openDataFile(`create table notes (id integer primary key, title text, deleted_at datetime, gone_on date);
    insert into notes (id, title) values (1, 'First'), (2, 'Second')`)
  ;({ source } = data)
})
afterEach(() => data.close())

const stored = () => data.row('select deleted_at, gone_on from notes where id = 1')

const policyOf = (over: Partial<Grant>): Policy => ({
  version: '1',
  grant(_actor, { columns }) {
    const names = columns.map(({ name }) => name)
    const actions = ['read', 'create', 'update', 'delete'] as const
    return { actions, rows: everything, readable: names, writable: names, ...over }
  },
})

type Options = { definitions?: Definitions; grant?: Partial<Grant> }

async function openRecord({ definitions = {}, grant = {} }: Options = {}) {
  const catalog = await createCatalog(source, policyOf(grant), { definitions })
  const component = createRecordComponent({
    ...{ source, catalog: () => catalog, door: doorTo(source, () => catalog) },
    href: (table) => `/tables/${table}`,
  })
  const params = { table: 'notes', key: '1' }
  const tester = await testComponent(component, { actor: admin, params })
  const view = async () => {
    await tester.refresh()
    // The row is never deleted here.
    return tester.view as RecordView
  }
  return { call: tester.call, view }
}

describe('a row of a table with a column such as deleted_at', () => {
  test('is marked with the present moment, says so, and is restored', async () => {
    const { call, view } = await openRecord()
    expect(await view()).toMatchObject({ mayMark: true, mayDelete: true })
    expect((await view()).marked).toBeUndefined()
    expect(await call.mark(true)).toMatchObject({
      status: 'done',
      text: 'Marked as deleted: First',
    })
    expect(stored()?.['deleted_at']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
    expect(await view()).toMatchObject({
      ...{ mayMark: false, mayDelete: true },
      marked: {
        text: expect.stringMatching(/^This row is marked as deleted: .+\.$/) as string,
        mayRestore: true,
      },
    })
    expect(await call.mark(false)).toMatchObject({ status: 'done', text: 'Restored: First' })
    expect(stored()?.['deleted_at']).toBeNull()
    expect((await view()).marked).toBeUndefined()
  })

  test('is marked with a count from 1970 where other rows have one', async () => {
    data.run(`drop table notes`)
    data.run(`create table notes (id integer primary key, title text, deleted_at integer)`)
    data.run(`insert into notes values (1, 'First', null), (2, 'Second', 1764000000000)`)
    const before = Date.now()
    const { call, view } = await openRecord()
    expect(await call.mark(true)).toMatchObject({ status: 'done' })
    const held = Number(data.row('select deleted_at from notes where id = 1')?.['deleted_at'])
    expect(held).toBeGreaterThanOrEqual(before)
    expect(held).toBeLessThanOrEqual(Date.now())
    expect((await view()).marked?.mayRestore).toBe(true)
  })

  test('is offered to be marked before it is deleted', async () => {
    const { call } = await openRecord()
    expect((await call.hanging()).mark).toEqual({
      does: '“Deleted” is set to the present moment. The row stays in the table and can be restored.',
      otherwise: 'It can also be deleted for good.',
      button: 'Mark as deleted',
      deleteButton: 'Delete for good',
    })
  })

  test('keeps the moment of who marked it first', async () => {
    const { call } = await openRecord()
    data.run(`update notes set deleted_at = '2020-01-01 00:00:00'`)
    expect(await call.mark(true)).toMatchObject({ status: 'refused' })
    expect(stored()?.['deleted_at']).toBe('2020-01-01 00:00:00')
  })

  test('is marked by who may update the column, whether or not they may delete', async () => {
    const updates = await openRecord({ grant: { actions: ['read', 'update'] } })
    expect(await updates.view()).toMatchObject({ mayMark: true, mayDelete: false })
    for (const grant of [
      { writable: ['title'] },
      { actions: ['read', 'delete'] },
      { readable: ['id', 'title'] },
    ] satisfies Partial<Grant>[]) {
      const { call, view } = await openRecord({ grant })
      expect(await view()).toMatchObject({ mayMark: false })
      expect((await call.hanging()).mark).toBeUndefined()
      const answer = await call.mark(true).catch(({ code }: { code: string }) => ({ status: code }))
      expect(['refused', 'NOT_FOUND', 'FORBIDDEN']).toContain(answer.status)
      expect(stored()?.['deleted_at']).toBeNull()
    }
    data.run(`update notes set deleted_at = '2020-01-01 00:00:00'`)
    const { view } = await openRecord({ grant: { writable: ['title'] } })
    expect((await view()).marked).toMatchObject({ mayRestore: false })
  })
})

test('another column marks rows where it is declared, and none where that is switched off', async () => {
  const named = await openRecord({ definitions: { notes: { softDelete: 'gone_on' } } })
  await named.call.mark(true)
  expect(stored()).toEqual({
    deleted_at: null,
    gone_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
  })
  const none = await openRecord({ definitions: { notes: { softDelete: false } } })
  expect(await none.view()).toMatchObject({ mayMark: false, mayDelete: true })
  await expect(none.call.mark(true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('before a row is deleted, the rows that refer to it are named, and tables where none do are not', async () => {
  data.run(`create table replies (id integer primary key, note_id integer references notes(id));
    create table tags (id integer primary key, note_id integer references notes(id) on delete cascade);
    insert into tags values (1, 1), (2, 1), (3, 2)`)
  const { call } = await openRecord()
  const tags = { text: expect.stringMatching(/2 rows of Tags/) as string }
  expect(await call.hanging()).toMatchObject({ isRefused: false, lines: [tags] })
  data.run(`insert into replies values (1, 1)`)
  expect(await call.hanging()).toMatchObject({
    isRefused: true,
    lines: expect.arrayContaining([expect.objectContaining(tags), expect.anything()]) as unknown[],
  })
  // Of several lines that keep the row, the last one says so.
  data.run(`create table links (id integer primary key, note_id integer references notes(id));
    insert into links values (1, 1)`)
  const { lines } = await (await openRecord()).call.hanging()
  expect(lines.map(({ text }) => text)).toEqual([
    '1 row of Links refers to it.',
    '1 row of Replies refers to it, so the database will not delete it.',
    '2 rows of Tags go with it.',
  ])
  // A table that refers to it twice says by which column.
  data.run(`create table swaps (id integer primary key, old_id integer references notes(id),
      new_id integer references notes(id));
    insert into swaps values (1, 1, 2), (2, 2, 1), (3, 2, 1)`)
  const twice = await (await openRecord()).call.hanging()
  expect(twice.lines.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      '1 row of Swaps (Old) refers to it.',
      '2 rows of Swaps (New) refer to it, so the database will not delete it.',
    ]),
  )
  // What the database knows nothing of keeps no row.
  data.run(`delete from links; delete from replies; delete from swaps;
    create table marks (id integer primary key, note_id integer); insert into marks values (1, 1), (2, 2)`)
  const guessed = await (await openRecord()).call.hanging()
  expect(guessed.isRefused).toBe(false)
  expect(guessed.lines.map(({ text }) => text)).toEqual([
    '1 row of Marks stays, and refers to nothing then.',
    '2 rows of Tags go with it.',
  ])
})
