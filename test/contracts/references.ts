/** References are compared as the engine compares the column that they refer to. */

import { describe, expect, test } from 'vitest'
import { filtersOf } from '../../src/table/filters/offered.ts'
import { conditionsOf } from '../../src/table/filters/read-filters.ts'
import { facetsOf } from '../../src/table/filters/ask.ts'
import { labelsOf } from '../../src/table/filters/labels.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import { searchPredicate } from '../../src/table/search/predicate.ts'
import { heldRows } from '../../src/table/plans/hanging-rows.ts'
import { countRelated, relatedRows } from '../../src/table/record/related.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import { askingOf } from '../ask-filters.ts'
import { actor } from './actors.ts'
import type { Fixture, OpenFixture } from './fixture.ts'
import { idsOf, openBench, readPage } from './opened.ts'

/** How texts are declared whose letter case the engine ignores. */
export type LooseText = {
  readonly declared: string
  /** The type of the reference, if that is another. */
  readonly from?: string
  readonly setUp?: string
}

const policy: Policy = {
  version: '1',
  grant: (_actor, { columns }) => ({
    actions: ['read'],
    rows: everything,
    readable: columns.map(({ name }) => name),
    writable: [],
  }),
}

const visits = ({ declared, from = declared, setUp }: LooseText): Fixture => ({
  ...(setUp !== undefined && { setUp }),
  tables: [
    {
      name: 'lands',
      columns: [
        { name: 'code', type: 'text', declared },
        { name: 'name', type: 'text' },
      ],
      key: ['code'],
      rows: [
        ['DE', 'Germany'],
        ['at', 'Austria'],
        ['ch', 'Switzerland'],
      ],
    },
    {
      name: 'visits',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'land', type: 'text', nullable: true, declared: from },
      ],
      key: ['id'],
      foreignKeys: [{ columns: ['land'], table: 'lands', references: ['code'] }],
      indexes: [['land']],
      rows: [
        [1, 'DE'],
        [2, 'de'],
        [3, 'At'],
        [4, null],
        [5, 'De'],
      ],
    },
  ],
})

export function referencesContract(
  name: string,
  open: OpenFixture,
  looseTexts: readonly LooseText[],
): void {
  describe.each(looseTexts)(`${name}: a reference to a $declared`, (loose) => {
    const opened = async () => {
      const { source, access } = await openBench(open, visits(loose))
      const catalog = await createCatalog(source, policy)
      return { source, catalog, lands: await access('lands'), visits: await access('visits') }
    }

    test('has the label of the row that the engine finds for it', async () => {
      const { source, lands, visits } = await opened()
      const related = [{ column: 'land', access: lands, references: 'code', label: 'name' }]
      const { rows } = await readPage(source, visits, { related })
      const labels = rows.map((row) => row.labels[0])
      expect(labels).toEqual(['Germany', 'Germany', 'Austria', undefined, 'Germany'])
      const lookup = {
        columns: ['land'],
        related: [{ columns: ['land'], access: lands, references: ['code'], label: 'name' }],
      }
      const row = await source.row(visits, [2], lookup)
      expect(row?.related).toEqual([{ key: ['DE'], label: 'Germany' }])
    })

    test('is sorted by that label', async () => {
      const { source, catalog } = await opened()
      const { access, relations } = catalog.open(actor, 'visits')
      const by = relations.get('land')!
      expect(by.isOrder).toBe(true)
      const inOrder = async (descending: boolean) => {
        const { rows } = await readPage(source, access, {
          sort: [{ column: 'land', descending, by }],
        })
        return rows.map(({ key }) => Number(key[0]))
      }
      expect(await inOrder(false)).toEqual([3, 1, 2, 5, 4])
      expect(await inOrder(true)).toEqual([5, 2, 1, 3, 4])
    })

    test('is counted, filtered and searched by that row', async () => {
      const { source, catalog, visits, lands } = await opened()
      const list = catalog.open(actor, 'visits')
      const other = catalog.open(actor, 'lands')
      const values = new Map([['code', 'DE']])
      const related = relatedRows(catalog, actor, other, values)
      const { signal } = new AbortController()
      expect(await countRelated(source, related, signal, 5000)).toEqual([
        { kind: 'exact', count: 3 },
      ])
      const filtered = (value: unknown) => {
        const [condition] = conditionsOf({ land: value }, list).values()
        return idsOf(source, visits, condition?.predicate({ locale: 'en', now: 0 }))
      }
      expect(await filtered({ in: ['DE'] })).toEqual([1, 2, 5])
      expect(await filtered({ in: ['AT', 'ch'] })).toEqual([3])
      expect(await filtered({ notIn: ['DE'] })).toEqual([3, 4])
      const found = searchPredicate('germ', list, { locale: 'en', now: 0 })
      expect(await idsOf(source, list.access, found)).toEqual([1, 2, 5])
      const none: Predicate = {
        op: 'not',
        of: {
          op: 'referred',
          table: 'visits',
          columns: ['land'],
          references: ['code'],
          where: everything,
        },
      }
      expect(await idsOf(source, other.access, none)).toEqual(['ch'])
      expect(lands.table.name).toBe('lands')
    })

    test('keeps that row from being deleted', async () => {
      const { source, catalog } = await opened()
      const held = heldRows({ open: catalog.open(actor, 'lands') })
      expect(held.map(({ table }) => table)).toEqual(['Visits'])
      const kept = await idsOf(source, catalog.open(actor, 'lands').access, held[0]!.where)
      expect(new Set(kept)).toEqual(new Set(['at', 'DE']))
    })

    test('is one value among those to choose from, with its label', async () => {
      const { source, catalog } = await opened()
      const list = catalog.open(actor, 'visits')
      const filter = filtersOf(list).get('land')!
      const { choices } = await facetsOf(filter, everything, askingOf(list, source))
      expect(choices.map(({ label, count }) => [label, count])).toEqual([
        ['Germany', 3],
        ['Austria', 1],
        ['no value', 1],
      ])
      const labels = await labelsOf(
        source,
        list.relations.get('land'),
        ['de', 'AT', 'xx'],
        new AbortController().signal,
      )
      expect(Object.fromEntries(labels)).toMatchObject({ de: 'Germany', AT: 'Austria' })
    })
  })
}
