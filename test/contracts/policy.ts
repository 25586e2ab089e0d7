/** Policy: what an actor may not read is never shown, filtered, sorted by, counted or hinted at. */

import { describe, expect, test } from 'vitest'
import { everything, nothing, type Predicate } from '../../src/table/source/predicate.ts'
import type { Access, Grant } from '../../src/table/source/access.ts'
import type { PageQuery } from '../../src/table/source/row-source.ts'
import { fullAccess } from './actors.ts'
import { shop, type OpenFixture } from './fixture.ts'
import { idsOf, keysOf, openBench, openOnce, readPage, writeRows, writeTo } from './opened.ts'

const unknown = { code: 'TABLE_UNKNOWN_COLUMN' }
const withoutSecret: Partial<Grant> = { readable: ['id', 'name', 'team'] }
/** The policy may read what the actor may not. */
const onlyGreenOrRed: Partial<Grant> = {
  ...withoutSecret,
  rows: { op: 'in', column: 'secret', values: ['green', 'red'] },
}

export function policyContract(name: string, open: OpenFixture): void {
  describe(`${name}: policy`, () => {
    // What is written here is refused.
    const openToRead = openOnce(open)

    test.for(['secret', 'nowhere', 'rowid', 'NAME', '', '*', 'name" --', "'; drop table people"])(
      'refuses the column [%s] wherever it stands',
      async (column) => {
        const { source, access } = await openBench(openToRead, shop)
        const people = await access('people', withoutSecret)
        const orders = await access('orders', {}, [people])
        const conditions: Predicate[] = [
          { op: 'eq', column, value: 'red' },
          { op: 'null', column },
          { op: 'in', column, values: [] },
          { op: 'contains', column, text: 'r' },
          { op: 'not', of: { op: 'or', all: [{ op: 'gt', column, value: 1 }] } },
        ]
        const pages: Partial<PageQuery>[] = [
          { columns: ['id', column] },
          { columns: ['id'], sort: [{ column, descending: false }] },
          ...conditions.map((where) => ({ columns: ['id'], where })),
        ]
        for (const page of pages)
          await expect(readPage(source, people, page)).rejects.toMatchObject(unknown)
        for (const where of conditions) {
          await expect(source.count(people, where)).rejects.toMatchObject(unknown)
          await expect(keysOf(source, people, where)).rejects.toMatchObject(unknown)
        }
        const relations: Partial<PageQuery>[] = [
          { related: [{ column: 'person', access: people, references: 'id', label: column }] },
          { related: [{ column: 'person', access: people, references: column, label: 'name' }] },
          { related: [{ column, access: people, references: 'id', label: 'name' }] },
          ...conditions.map((where) => ({
            where: {
              op: 'related',
              column: 'person',
              table: 'people',
              references: 'id',
              where,
            } as const,
          })),
        ]
        for (const page of relations) {
          await expect(readPage(source, orders, page)).rejects.toMatchObject(unknown)
          // The error must not depend on whether there are rows.
          const none = { op: 'and', all: [page.where ?? everything, nothing] } as const
          await expect(readPage(source, orders, { ...page, where: none })).rejects.toMatchObject(
            unknown,
          )
        }
      },
    )

    test('gives, counts and lists only the rows that the policy allows', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const people = await access('people', onlyGreenOrRed)
      expect(await idsOf(source, people)).toEqual([1, 2])
      expect(await source.count(people, everything)).toEqual({ kind: 'exact', count: 2 })
      expect(await keysOf(source, people)).toEqual([[[1], [2]]])
      const last = await readPage(source, people, { place: { at: 'last', rows: 5 } })
      expect(last.rows.map(({ key }) => key)).toEqual([[1], [2]])
      const jump = await readPage(source, people, { place: { at: 'offset', skip: 1 } })
      expect(jump.rows.map(({ key }) => key)).toEqual([[2]])
      const or: Predicate = { op: 'or', all: [everything, { op: 'eq', column: 'id', value: 4 }] }
      expect(await idsOf(source, people, or)).toEqual([1, 2])
    })

    test('a related row that may not be seen counts as one that is not there', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const people = await access('people', onlyGreenOrRed)
      const orders = await access('orders', {}, [people])
      const related: Predicate = {
        op: 'related',
        column: 'person',
        table: 'people',
        references: 'id',
        where: everything,
      }
      expect(await idsOf(source, orders, related)).toEqual([10, 11, 15])
      const labelsFor = async (other: Access) => {
        const { rows } = await readPage(source, orders, {
          related: [{ column: 'person', access: other, references: 'id', label: 'name' }],
        })
        return rows.map(({ labels }) => labels[0])
      }
      // An actor who may see all rows reads first: nothing of that may stay in a cache.
      const everybody = ['Ada', 'Bob', 'Cleo', undefined, 'Dan', 'Ada']
      expect(await labelsFor(await access('people'))).toEqual(everybody)
      expect(await labelsFor(people)).toEqual([
        'Ada',
        'Bob',
        undefined,
        undefined,
        undefined,
        'Ada',
      ])
      expect(await labelsFor(await access('people'))).toEqual(everybody)
    })

    test('a policy may follow relations by columns that the actor may not read', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const people = await access('people', { readable: ['id'] })
      const rows: Predicate = {
        op: 'related',
        column: 'person',
        table: 'people',
        references: 'id',
        where: { op: 'eq', column: 'team', value: 2 },
      }
      expect(await idsOf(source, await access('orders', { rows }, [people]))).toEqual([12, 14])
    })

    test('a condition on a table that the actor may not see matches nothing', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const orders = await access('orders')
      for (const table of ['people', 'nowhere']) {
        const rows: Predicate = {
          op: 'related',
          column: 'person',
          table,
          references: 'id',
          where: everything,
        }
        expect(await idsOf(source, orders, rows)).toEqual([])
        expect(await idsOf(source, orders, { op: 'not', of: rows })).toHaveLength(6)
        expect(await idsOf(source, await access('orders', { rows }))).toEqual([])
      }
    })

    test('what a condition names is decided for the actor that it runs for', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const where: Predicate = {
        op: 'related',
        column: 'person',
        table: 'people',
        references: 'id',
        where: { op: 'contains', column: 'name', text: 'a' },
      }
      const found = async (less: Partial<Grant>) =>
        idsOf(source, await access('orders', {}, [await access('people', less)]), where)
      expect(await found({})).toEqual([10, 14, 15])
      expect(await found(onlyGreenOrRed)).toEqual([10, 15])
      expect(await found({ rows: nothing })).toEqual([])
    })

    test('policies that refer to one another in a circle are refused, and say so', async () => {
      const { source } = await openBench(openToRead, shop)
      const { tables } = await source.describe()
      const via = (table: string, column: string, references: string): Predicate => ({
        op: 'not',
        of: { op: 'related', column, table, references, where: everything },
      })
      const rows: Readonly<Record<string, Predicate>> = {
        people: via('orders', 'id', 'person'),
        orders: via('people', 'person', 'id'),
      }
      const accessTo = (name: string): Access =>
        fullAccess(
          tables.find((table) => table.name === name)!,
          { rows: rows[name]! },
          accessTo,
        )
      for (const access of [accessTo('people'), accessTo('orders')]) {
        const asked = [
          () => readPage(source, access),
          () => source.count(access, everything),
          () => keysOf(source, access),
          () => writeTo(source, access, { rows: [{ delete: [1] }] }),
        ]
        for (const ask of asked)
          await expect(ask()).rejects.toMatchObject({
            code: 'SERVER_ERROR',
            cause: { message: expect.stringMatching(/circle: \[\w+\] → \[\w+\] → \[\w+\]/) },
          })
      }
    })

    test('a policy that names what is not there opens nothing', async () => {
      const { source, access } = await openBench(openToRead, shop)
      const rows: Predicate = { op: 'eq', column: 'gone', value: 1 }
      const people = await access('people', { rows })
      await expect(readPage(source, people)).rejects.toMatchObject(unknown)
      await expect(writeRows(source, people, [{ delete: [1] }])).rejects.toMatchObject(unknown)
    })
  })
}
