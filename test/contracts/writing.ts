/** Writing: atomic, on disk when acknowledged, and only what the policy allows. */

import { describe, expect, test } from 'vitest'
import type { Grant } from '../../src/table/source/access.ts'
import type { Part, RowChange } from '../../src/table/source/write-unit.ts'
import { everything } from '../../src/table/source/predicate.ts'
import { shop, type OpenFixture } from './fixture.ts'
import { idsOf, openBench, readPage, writeOne, writeRows } from './opened.ts'

const onlyTeamOne: Partial<Grant> = { rows: { op: 'eq', column: 'team', value: 1 } }

export function writingContract(name: string, open: OpenFixture): void {
  describe(`${name}: writing`, () => {
    test('inserts, updates and deletes, and others see it once it is acknowledged', async () => {
      const { source, access, reopen } = await openBench(open, shop)
      const people = await access('people')
      const before = await source.dataVersion()
      const exactBefore = await source.exactVersion()
      expect(
        await writeRows(source, people, [
          { insert: { id: 9, name: 'Eve', secret: '', team: 1 } },
          { update: [1], set: { name: "A'; drop table people; --", secret: null } },
          { update: [9], set: { id: 20 } },
        ]),
      ).toEqual([
        { status: 'done', key: [9] },
        { status: 'done', key: [1] },
        { status: 'done', key: [20] },
      ])
      const { rows } = await readPage(await reopen(), people)
      expect(rows.map(({ values }) => values)).toEqual([
        [1, "A'; drop table people; --", null, 1],
        [2, 'Bob', 'green', 1],
        [3, 'Cleo', null, 2],
        [4, 'Dan', 'blue', 2],
        [20, 'Eve', '', 1],
      ])
      expect(await source.dataVersion()).not.toBe(before)
      const exactAfter = await source.exactVersion()
      expect(exactAfter === null || exactAfter !== exactBefore).toBe(true)
    })

    test('a new row gets its key from the database', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people')
      const written = await writeOne(source, people, {
        insert: { name: 'Eve', team: 1 },
      })
      expect(written).toEqual({ status: 'done', key: [5] })
    })

    test('a new row takes the key of one that an earlier part inserts', async () => {
      const { source, access } = await openBench(open, shop)
      const [people, orders] = [await access('people'), await access('orders')]
      const person = { insert: { name: 'Eve', team: 1 } }
      const order = (code: string, part = 0): RowChange => ({
        ...{ insert: { code, paid: true }, keyOf: { part, row: 0, columns: { person: 'id' } } },
      })
      const parts = (...rows: RowChange[]): Part[] => [
        { access: people, rows: [person] },
        { access: orders, rows },
      ]
      const written = await source.write({ parts: parts(order('e-1'), order('e-2')) })
      expect(written.parts.map(({ rows }) => rows)).toMatchObject([
        [{ status: 'done', key: [5] }],
        [{ status: 'done' }, { status: 'done' }],
      ])
      const { rows } = await readPage(source, orders, { columns: ['person', 'code'] })
      expect(rows.map(({ values }) => values).slice(-2)).toEqual([
        [5, 'e-1'],
        [5, 'e-2'],
      ])
      // Nothing is written for a key that nothing gets.
      const taken = await source.write({ parts: parts(order('a-1')) })
      expect(taken).toMatchObject({ isDone: false, parts: [{}, { rows: [{ rule: 'unique' }] }] })
      const refused = await source.write({
        parts: [
          { access: people, rows: [{ insert: { id: 1, name: 'Eve', team: 1 } }] },
          { access: orders, rows: [order('e-3')] },
        ],
      })
      expect(refused).toMatchObject({ isDone: false, parts: [{ rows: [{ rule: 'unique' }] }, {}] })
      expect(await idsOf(source, people)).toEqual([1, 2, 3, 4, 5])
      await expect(source.write({ parts: parts(order('e-4', 1)) })).rejects.toMatchObject({
        code: 'REQUEST_INVALID',
      })
    })

    test('a batch with one miss or conflict changes nothing, and tells which', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people')
      const result = await writeRows(source, people, [
        { update: [1], set: { name: 'Alan' }, expect: { name: 'Ada' } },
        { update: [2], set: { name: 'Bill' }, expect: { name: 'bob' } },
        { delete: [99] },
        { delete: [3], expect: { secret: 'red' } },
        { update: [4], set: {}, expect: { secret: 'blue' } },
      ])
      expect(result.map(({ status }) => status)).toEqual([
        'done',
        'conflict',
        'missing',
        'conflict',
        'done',
      ])
      const { rows } = await readPage(source, people, { columns: ['name'] })
      expect(rows.flatMap(({ values }) => values)).toEqual(['Ada', 'Bob', 'Cleo', 'Dan'])
    })

    test('what is expected holds for NULL apart from empty text', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people')
      const update = (secret: string | null) =>
        writeOne(source, people, {
          update: [3],
          set: { name: 'C' },
          expect: { secret },
        })
      expect(await update('')).toEqual({ status: 'conflict', current: { secret: null } })
      expect(await update(null)).toMatchObject({ status: 'done' })
    })

    test('rows out of reach are missing, and none can be moved out of reach', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people', onlyTeamOne)
      expect(await writeOne(source, people, { delete: [3] })).toEqual({
        status: 'missing',
      })
      const outside: RowChange[] = [
        { update: [1], set: { team: 2 } },
        { insert: { id: 7, name: 'Eve', team: 2 } },
      ]
      for (const change of outside)
        expect(
          await writeRows(source, people, [{ update: [2], set: { name: 'B' } }, change]),
        ).toEqual([{ status: 'done', key: [2] }, { status: 'forbidden' }])
      const { rows } = await readPage(source, await access('people'), { columns: ['name', 'team'] })
      expect(rows.map(({ values }) => values)).toEqual([
        ['Ada', 1],
        ['Bob', 1],
        ['Cleo', 2],
        ['Dan', 2],
      ])
    })

    test('writes only what the policy lets the actor write', async () => {
      const { source, access } = await openBench(open, shop)
      const reader = await access('people', { actions: ['read'] })
      const changes: RowChange[] = [
        { insert: { name: 'E', team: 1 } },
        { update: [1], set: { name: 'E' } },
        { delete: [1] },
      ]
      for (const change of changes)
        await expect(writeRows(source, reader, [change])).rejects.toMatchObject({
          code: 'FORBIDDEN',
        })
      const namer = await access('people', { writable: ['name'], readable: ['id', 'name', 'team'] })
      const update = (values: Record<string, string>, expectation = {}) =>
        writeRows(source, namer, [{ update: [1], set: values, expect: expectation }])
      await expect(update({ team: '2' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
      const unknown = { code: 'TABLE_UNKNOWN_COLUMN' }
      await expect(update({ secret: 'x' })).rejects.toMatchObject(unknown)
      await expect(update({ 'name" = 1 --': 'x' })).rejects.toMatchObject(unknown)
      await expect(update({ name: 'x' }, { secret: 'red' })).rejects.toMatchObject(unknown)
      expect(await idsOf(source, reader)).toEqual([1, 2, 3, 4])
    })

    test("says which column the database's own rules refuse", async () => {
      const { source, access } = await openBench(open, shop)
      const orders = await access('orders')
      const insert = (values: object) =>
        writeOne(source, orders, {
          insert: { person: 1, code: 'new', paid: true, ...values },
        })
      expect(await insert({ code: 'a-1' })).toMatchObject({ rule: 'unique', columns: ['code'] })
      expect(await insert({ code: null })).toMatchObject({ rule: 'required', columns: ['code'] })
      expect(await insert({ person: 99 })).toMatchObject({ rule: 'reference', columns: ['person'] })
      expect(await source.count(orders, everything)).toMatchObject({ count: 6 })
    })

    test('parts of several tables are written together, in their order', async () => {
      const { source, access } = await openBench(open, shop)
      const [people, orders] = [await access('people'), await access('orders')]
      const order = { id: 20, person: 9, code: 'new', paid: true }
      const parts: Part[] = [
        { access: people, rows: [{ insert: { id: 9, name: 'Eve', team: 1 } }] },
        { access: orders, rows: [{ insert: order }, { update: [10], set: { person: 9 } }] },
        { access: people, rows: [{ update: [9], set: { name: 'Eva' } }] },
      ]
      expect(await source.write({ parts })).toEqual({
        isDone: true,
        parts: [
          { rows: [{ status: 'done', key: [9] }], sets: [] },
          {
            rows: [
              { status: 'done', key: [20] },
              { status: 'done', key: [10] },
            ],
            sets: [],
          },
          { rows: [{ status: 'done', key: [9] }], sets: [] },
        ],
      })
      const names = async () => (await readPage(source, people, { columns: ['name'] })).rows.at(-1)
      expect((await names())?.values).toEqual(['Eva'])
      const bad: Part[] = [
        { access: people, rows: [{ update: [9], set: { name: 'Ed' } }] },
        { access: orders, rows: [{ insert: { ...order, id: 21 } }, { delete: [99] }] },
      ]
      expect(await source.write({ parts: bad })).toMatchObject({
        isDone: false,
        parts: [
          { rows: [{ status: 'done' }] },
          { rows: [{ rule: 'unique', columns: ['code'] }, { status: 'missing' }] },
        ],
      })
      expect((await names())?.values).toEqual(['Eva'])
      await expect(source.write({ parts: [] })).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
    })

    test('a part that the policy forbids keeps the others from being written', async () => {
      const { source, access } = await openBench(open, shop)
      const [people, orders] = [await access('people'), await access('orders')]
      const parts: Part[] = [
        { access: orders, rows: [{ update: [10], set: { paid: false } }] },
        {
          access: await access('people', { actions: ['read'] }),
          rows: [{ update: [1], set: { name: 'X' } }],
        },
      ]
      await expect(source.write({ parts })).rejects.toMatchObject({ code: 'FORBIDDEN' })
      const paid = { op: 'eq', column: 'paid', value: true } as const
      expect(await idsOf(source, orders, paid)).toContain(10)
      expect(await idsOf(source, people)).toHaveLength(4)
    })

    test('numbers that the database cannot hold are refused', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people')
      for (const team of [NaN, 2n ** 63n])
        await expect(
          writeRows(source, people, [{ update: [1], set: { team } }]),
        ).rejects.toMatchObject({ code: 'UPDATE_INVALID' })
    })

    test('a thousand writers at once lose nothing and repeat nothing', async () => {
      const { source, access, reopen } = await openBench(open, shop)
      const people = await access('people')
      let next = 100
      let done = 0
      const work = async (): Promise<void> => {
        while (next < 1100) {
          const id = next++
          const change: RowChange = { insert: { id, name: `N${id}`, team: 1 } }
          const isBad = id % 10 === 0
          const changes = isBad ? [change, { delete: [5000] } as const] : [change]
          const [first] = await writeRows(source, people, changes)
          if (first?.status === 'done' && !isBad) done++
        }
      }
      await Promise.all(Array.from({ length: 40 }, work))
      expect(done).toBe(900)
      const again = await reopen()
      expect(await again.count(people, { op: 'gte', column: 'id', value: 100 })).toEqual({
        kind: 'exact',
        count: 900,
      })
    })

    test('two that change the same row: one does, the other is told', async () => {
      const { source, access } = await openBench(open, shop)
      const people = await access('people')
      const update = (name: string) =>
        writeOne(source, people, {
          update: [1],
          set: { name },
          expect: { name: 'Ada' },
        })
      const results = await Promise.all(['X', 'Y', 'Z'].map(update))
      expect(results.filter(({ status }) => status === 'done')).toHaveLength(1)
      expect(results.filter(({ status }) => status === 'conflict')).toHaveLength(2)
    })
  })
}
