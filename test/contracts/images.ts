/** Images: what every row that a unit changed held before and holds after, whatever the actor may read. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RecordRequest } from '../../src/table/source/recorder.ts'
import { type EntryDraft, imagesOf, type RowImage } from '../../src/table/source/ledger-entry.ts'
import { everything } from '../../src/table/source/predicate.ts'
import type { KeyValues } from '../../src/table/source/value.ts'
import type { Part, UnitResult } from '../../src/table/source/write-unit.ts'
import { collected, REFUSED } from './collecting-recorder.ts'
import { people, shop, type Fixture, type FixtureTable, type Opened } from './fixture.ts'
import { openBench, type Bench } from './opened.ts'

/** Opens a fixture with a recorder that appends to the file. */
export type OpenRecorded = (fixture: Fixture, file: string) => Promise<Opened>

const entry: EntryDraft = {
  id: '0193a000-0000-7000-8000-000000000001',
  at: 1,
  by: { id: 'a', name: 'Ada' },
  door: 'code',
}

const keys = (...ids: number[]): KeyValues[] => ids.map((id) => [id])

type RecordedBench = Bench & {
  /** Writes the parts with an entry. */
  record(...parts: Part[]): Promise<UnitResult>
  requests(): RecordRequest[]
  /** All images, by table and key. */
  images(): RowImage[]
}

async function openRecorded(open: OpenRecorded, fixture: Fixture): Promise<RecordedBench> {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-images-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'images')
  const bench = await openBench((one) => open(one, file), fixture)
  const textOf = ({ table, key, before }: RowImage) => JSON.stringify([table, key, before])
  return {
    ...bench,
    record: (...parts) => bench.source.write({ parts, entry }),
    requests: () => collected(file),
    images: () =>
      collected(file)
        .flatMap(({ images, sets = [] }) => [...images, ...sets.flatMap(imagesOf)])
        .toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)),
  }
}

/** Rows in an order, whose places are unique. */
const list: FixtureTable = {
  name: 'list',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'place', type: 'integer', unique: true },
  ],
  key: ['id'],
  rows: [1, 2, 3, 4].map((id) => [id, id]),
}

const notes: FixtureTable = {
  name: 'notes',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'body', type: 'binary', nullable: true },
  ],
  key: ['id'],
  rows: [[1, null]],
}

const id = { name: 'id', type: 'integer' } as const

const family: Fixture = {
  tables: [
    {
      ...{ name: 'parents', columns: [id, { name: 'name', type: 'text' }], key: ['id'] },
      rows: [
        [1, 'Ada'],
        [2, 'Bob'],
      ],
    },
    {
      ...{ name: 'children', columns: [id, { name: 'parent', type: 'integer' }], key: ['id'] },
      foreignKeys: [
        {
          ...{ columns: ['parent'], table: 'parents', references: ['id'] },
          ...{ onDelete: 'cascade', onUpdate: 'cascade' },
        },
      ],
      rows: [
        [11, 1],
        [12, 1],
        [13, 2],
      ],
    },
    {
      ...{ name: 'grandchildren', key: ['id'] },
      columns: [id, { name: 'child', type: 'integer', nullable: true }],
      foreignKeys: [
        { columns: ['child'], table: 'children', references: ['id'], onDelete: 'setNull' },
      ],
      rows: [
        [101, 11],
        [102, 13],
      ],
    },
  ],
}

/** A row, its child, and the child of that. */
const tree: FixtureTable = {
  ...{ name: 'tree', key: ['id'] },
  columns: [id, { name: 'up', type: 'integer', nullable: true }],
  foreignKeys: [{ columns: ['up'], table: 'tree', references: ['id'], onDelete: 'cascade' }],
  indexes: [['up']],
  rows: [
    [1, null],
    [2, 1],
    [3, 2],
  ],
}

const branches = (count: number) => Array.from({ length: count }, (_, i) => [i + 2, 1] as const)

export type Triggers = {
  /** Puts the names of people in capitals when they are updated. */
  readonly shouting: string
  /** Adds 100 to the ids of people whose team changes. */
  readonly renumbering: string
}

export function imagesContract(
  name: string,
  open: OpenRecorded,
  { shouting, renumbering }: Triggers,
): void {
  describe(`${name}: images`, () => {
    test('are whole of inserts and deletes, and of updates what differs, hidden columns too', async () => {
      const { access, record, images, requests } = await openRecorded(open, { tables: [people] })
      const mine = await access('people', {
        readable: ['id', 'name', 'team'],
        rows: { op: 'eq', column: 'team', value: 1 },
      })
      const { recorded } = await record({
        access: mine,
        rows: [
          { update: [1], set: { name: 'Adele', secret: 'x', team: 1 } },
          { delete: [2] },
          { insert: { id: 9, name: 'Eve', team: 1 } },
        ],
      })
      expect(images()).toEqual([
        {
          ...{ table: 'people', key: [1] },
          before: { name: 'Ada', secret: 'red' },
          after: { name: 'Adele', secret: 'x' },
        },
        {
          ...{ table: 'people', key: [2] },
          before: { id: 2, name: 'Bob', secret: 'green', team: 1 },
          after: null,
        },
        {
          ...{ table: 'people', key: [9], before: null },
          after: { id: 9, name: 'Eve', secret: null, team: 1 },
        },
      ])
      expect(recorded).toEqual({
        tables: [{ table: 'people', inserted: 1, updated: 1, deleted: 1 }],
        lacks: [],
      })
      expect(requests().at(-1)).toMatchObject({ record: entry, recorded })
    })

    test('span parts: a row is told once, as it was before all of them and is after them', async () => {
      const { access, record, images } = await openRecorded(open, shop)
      const [people, orders] = [await access('people'), await access('orders')]
      await record(
        { access: people, rows: [{ update: [1], set: { name: 'first' } }] },
        { access: orders, rows: [{ update: [10], set: { paid: false } }] },
        {
          access: people,
          rows: [
            { update: [1], set: { name: 'second' } },
            { insert: { id: 30, name: 'gone', team: 1 } },
            { delete: [30] },
          ],
          sets: [{ in: keys(1, 3), where: everything, set: { team: 7 } }],
        },
      )
      expect(images()).toEqual([
        { table: 'orders', key: [10], before: { paid: true }, after: { paid: false } },
        {
          ...{ table: 'people', key: [1] },
          before: { name: 'Ada', team: 1 },
          after: { name: 'second', team: 7 },
        },
        { table: 'people', key: [3], before: { team: 2 }, after: { team: 7 } },
      ])
    })

    test('follow a row to its new key', async () => {
      const { access, record, images } = await openRecorded(open, { tables: [people] })
      await record({
        access: await access('people'),
        rows: [
          { update: [4], set: { id: 40 } },
          { update: [40], set: { name: 'Don' } },
          { delete: [3] },
          { update: [2], set: { id: 3 } },
        ],
      })
      expect(images()).toEqual([
        { table: 'people', key: [3], before: { id: 2 }, after: { id: 3 } },
        {
          ...{ table: 'people', key: [3] },
          before: { id: 3, name: 'Cleo', secret: null, team: 2 },
          after: null,
        },
        {
          ...{ table: 'people', key: [40] },
          before: { id: 4, name: 'Dan' },
          after: { id: 40, name: 'Don' },
        },
      ])
    })

    test('of ranks are of every row that got another number', async () => {
      const { access, record, images } = await openRecorded(open, { tables: [list] })
      const { recorded } = await record({
        access: await access('list'),
        ranks: { column: 'place', at: [[[4], 2]] },
      })
      expect(images().map(({ key, before, after }) => [key[0], before, after])).toEqual([
        [2, { place: 2 }, { place: 3 }],
        [3, { place: 3 }, { place: 4 }],
        [4, { place: 4 }, { place: 2 }],
      ])
      expect(recorded?.tables).toEqual([{ table: 'list', inserted: 0, updated: 3, deleted: 0 }])
    })

    test('of many rows are what each of them held, not what it held in between', async () => {
      const { access, record, images } = await openRecorded(open, { tables: [list] })
      const table = await access('list')
      const { recorded } = await record({
        access: table,
        rows: [
          ...[1, 2, 3, 4].map((one) => ({
            ...{ update: [one], set: { place: (one % 4) + 1 }, expect: { place: one } },
          })),
          ...[5, 6].map((one) => ({ insert: { id: one, place: one } })),
          ...[1, 2].map((one) => ({ delete: [one], expect: { place: one + 1 } })),
        ],
      })
      expect(images()).toEqual([
        { table: 'list', key: [1], before: { id: 1, place: 1 }, after: null },
        { table: 'list', key: [2], before: { id: 2, place: 2 }, after: null },
        { table: 'list', key: [3], before: { place: 3 }, after: { place: 4 } },
        { table: 'list', key: [4], before: { place: 4 }, after: { place: 1 } },
        { table: 'list', key: [5], before: null, after: { id: 5, place: 5 } },
        { table: 'list', key: [6], before: null, after: { id: 6, place: 6 } },
      ])
      expect(recorded?.tables).toEqual([{ table: 'list', inserted: 2, updated: 2, deleted: 2 }])
    })

    test('of values that are worked out hold what came out', async () => {
      const { access, record, images } = await openRecorded(open, { tables: [people] })
      await record({
        access: await access('people'),
        sets: [
          { in: keys(1, 3), where: everything, set: { team: { add: 5 }, secret: { append: '!' } } },
        ],
      })
      expect(images()).toEqual([
        {
          ...{ table: 'people', key: [1], before: { secret: 'red', team: 1 } },
          after: { secret: 'red!', team: 6 },
        },
        { table: 'people', key: [3], before: { team: 2 }, after: { team: 7 } },
      ])
    })

    test('are of nothing that was not written, and of nothing without an entry', async () => {
      const { access, record, requests, source } = await openRecorded(open, { tables: [people] })
      const all = await access('people')
      const bad = await record({
        access: all,
        rows: [{ update: [1], set: { name: 'X' } }, { delete: [99] }],
      })
      expect(bad).toMatchObject({ isDone: false })
      expect(bad.recorded).toBeUndefined()
      const parts = [{ access: all, rows: [{ update: [1], set: { name: 'Y' } }] }]
      expect((await source.write({ parts })).recorded).toBeUndefined()
      expect(requests()).toEqual([])
    })

    test('tell what triggers made of a row', async () => {
      const { access, record, images, query } = await openRecorded(open, { tables: [people] })
      await query(shouting)
      await record({
        access: await access('people'),
        rows: [{ update: [1], set: { team: 3, name: 'eva' } }],
      })
      expect(images()).toEqual([
        {
          ...{ table: 'people', key: [1] },
          ...{ before: { name: 'Ada', team: 1 }, after: { name: 'EVA', team: 3 } },
        },
      ])
    })

    test('tell nobody that a row was deleted to which a trigger gave another key', async () => {
      const { access, record, images, query } = await openRecorded(open, { tables: [people] })
      await query(renumbering)
      const { recorded } = await record({
        access: await access('people'),
        rows: [{ update: [1], set: { team: 3 } }],
      })
      const [[id] = []] = await query('select id from people where team = 3')
      expect(Number(id)).toBe(101)
      // Some databases tell the new key. On others, the change cannot be taken back whole.
      if (images().length > 0)
        expect(images()).toEqual([
          { table: 'people', key: [101], before: { id: 1, team: 1 }, after: { id: 101, team: 3 } },
        ])
      else expect(recorded?.lacks).toEqual([{ table: 'people', columns: [], rows: 1 }])
    })

    test('that cannot be kept undo the unit', async () => {
      const { access, source, query } = await openRecorded(open, { tables: [people] })
      const parts = [{ access: await access('people'), rows: [{ delete: [1] }] }]
      const refused = { ...entry, by: { id: REFUSED, name: 'Ada' } }
      await expect(source.write({ parts, entry: refused })).rejects.toThrow()
      expect(await query('select name from people where id = 1')).toEqual([['Ada']])
      expect(await source.write({ parts, entry })).toMatchObject({ isDone: true })
    })

    test('are of rows that cascades take, through several tables, and say so', async () => {
      const { access, record, images } = await openRecorded(open, family)
      const { recorded } = await record({
        access: await access('parents'),
        rows: [{ delete: [1] }],
      })
      expect(images()).toEqual([
        {
          ...{ table: 'children', key: [11], cascaded: true, after: null },
          before: { id: 11, parent: 1 },
        },
        {
          ...{ table: 'children', key: [12], cascaded: true, after: null },
          before: { id: 12, parent: 1 },
        },
        {
          ...{ table: 'grandchildren', key: [101], cascaded: true },
          ...{ before: { child: 11 }, after: { child: null } },
        },
        { table: 'parents', key: [1], before: { id: 1, name: 'Ada' }, after: null },
      ])
      expect(recorded).toEqual({
        tables: [
          { table: 'parents', inserted: 0, updated: 0, deleted: 1 },
          { table: 'children', inserted: 0, updated: 0, deleted: 2 },
          { table: 'grandchildren', inserted: 0, updated: 1, deleted: 0 },
        ],
        lacks: [],
      })
    })

    test('are of rows that follow another key, and of those of a set', async () => {
      const { access, record, images } = await openRecorded(open, family)
      await record({ access: await access('parents'), rows: [{ update: [2], set: { id: 20 } }] })
      expect(images()).toEqual([
        {
          ...{ table: 'children', key: [13], cascaded: true },
          ...{ before: { parent: 2 }, after: { parent: 20 } },
        },
        { table: 'parents', key: [20], before: { id: 2 }, after: { id: 20 } },
      ])
    })

    test('of a set, and a row that the change writes itself is no row of a cascade', async () => {
      const { access, record, images } = await openRecorded(open, family)
      await record(
        { access: await access('children'), rows: [{ update: [11], set: { parent: 2 } }] },
        {
          access: await access('parents'),
          sets: [{ in: keys(1, 2), where: everything, delete: true }],
        },
      )
      expect(images().map(({ table, key, cascaded }) => [table, key[0], cascaded])).toEqual([
        ['children', 11, undefined],
        ['children', 12, true],
        ['children', 13, true],
        ['grandchildren', 101, true],
        ['grandchildren', 102, true],
        ['parents', 1, undefined],
        ['parents', 2, undefined],
      ])
    })

    test('of a tree are of each row once', async () => {
      const { access, record, images } = await openRecorded(open, { tables: [tree] })
      await record({ access: await access('tree'), rows: [{ delete: [1] }] })
      expect(images().map(({ key, cascaded }) => [key[0], cascaded])).toEqual([
        [1, undefined],
        [2, true],
        [3, true],
      ])
    })

    test('of too many rows of a cascade are missed, and that is said', async () => {
      const many = { ...tree, rows: [[1, null] as const, ...branches(10_001)] }
      const { access, record, images } = await openRecorded(open, { tables: [many] })
      const { recorded } = await record({ access: await access('tree'), rows: [{ delete: [1] }] })
      expect(images()).toHaveLength(1)
      expect(recorded?.lacks).toEqual([{ table: 'tree', columns: [], rows: 10_001 }])
    })

    test('compare large values that nobody sets, and hold those that somebody does', async () => {
      const texts: FixtureTable = {
        ...{ name: 'texts', key: ['id'] },
        columns: [
          id,
          { name: 'title', type: 'text' },
          { name: 'body', type: 'json', nullable: true },
          { name: 'file', type: 'binary', nullable: true },
        ],
        rows: [[1, 'a', null, null]],
      }
      const { access, record, images, source } = await openRecorded(open, { tables: [texts] })
      const table = await access('texts')
      const [body, file] = [JSON.stringify('ä'.repeat(40_000)), new Uint8Array(70_000).fill(1)]
      await source.write({
        parts: [{ access: table, rows: [{ update: [1], set: { body, file } }] }],
      })
      await record({ access: table, rows: [{ update: [1], set: { title: 'b' } }] })
      expect(images()).toEqual([
        { table: 'texts', key: [1], before: { title: 'a' }, after: { title: 'b' } },
      ])
      await record(
        { access: table, rows: [{ update: [1], set: { title: 'c' } }] },
        { access: table, rows: [{ update: [1], set: { body: '"short"' } }] },
      )
      expect(images()).toMatchObject([
        { before: { title: 'a' } },
        { before: { title: 'b', body }, after: { title: 'c', body: '"short"' } },
      ])
    })

    test('keep a large value once, by its digest, and say which was too large', async () => {
      const { access, record, images, requests } = await openRecorded(open, { tables: [notes] })
      const table = await access('notes')
      const body = new Uint8Array(2 ** 20 + 1).fill(7)
      await record({
        access: table,
        rows: [{ update: [1], set: { body } }, { insert: { id: 2, body } }],
      })
      const digest = expect.stringMatching(/^[\da-f]{64}$/)
      const apart = { digest, bytes: body.length }
      expect(images()).toEqual([
        { table: 'notes', key: [1], before: { body: null }, after: { body: apart } },
        { table: 'notes', key: [2], before: null, after: { id: 2, body: apart } },
      ])
      expect(requests().flatMap(({ values }) => values)).toMatchObject([apart])
    })
  })
}
