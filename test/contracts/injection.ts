/**
 * Tries hostile and confusing texts in every place for a text: the answer must be correct or an
 * `AppError`, and the database must never run a statement from a text.
 */

import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/server/app-error.ts'
import type { Access } from '../../src/table/source/access.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import type { PageQuery } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'
import { chosen } from '../hostile/chosen.ts'
import { CORPUS } from '../hostile/corpus.ts'
import type { Fixture, OpenFixture } from './fixture.ts'
import { type Bench, openBench, readPage, writeRows } from './opened.ts'

const KINDS = [
  'text',
  'integer',
  'decimal',
  'float',
  'boolean',
  'date',
  'datetime',
  'time',
] as const

const row = (id: number): Value[] => [
  id,
  'x',
  1,
  '1.5',
  0.5,
  true,
  '2024-01-01',
  '2024-01-01 00:00:00',
  '00:00:00',
]

const target: Fixture = {
  tables: [
    {
      name: 'target',
      columns: [
        { name: 'id', type: 'integer' },
        ...KINDS.map((type) => ({ name: type, type, nullable: true })),
      ],
      key: ['id'],
      rows: [row(1), row(2)],
    },
    {
      name: 'named',
      columns: [
        { name: 'name', type: 'text' },
        { name: 'note', type: 'text', nullable: true },
      ],
      key: ['name'],
      rows: [['x', null]],
    },
  ],
}

/** Codes that answer an invalid question; any other error is a bug. */
const REFUSALS = new Set(['TABLE_UNKNOWN_COLUMN', 'TABLE_BAD_PLACE', 'UPDATE_INVALID'])

export function injectionContract(name: string, open: OpenFixture): void {
  describe(`${name}: hostile texts`, () => {
    test('as values are compared and searched for, and nothing else', async () => {
      const bench = await openBench(open, target)
      const access = await bench.access('target')
      await eachText(async (text) => {
        const all: Predicate[] = KINDS.flatMap((column): Predicate[] => [
          { op: 'eq', column, value: text },
          { op: 'in', column, values: [text, null] },
        ])
        await answered(bench, access, { where: { op: 'or', all } })
        const ranges = (['lt', 'lte', 'gt', 'gte'] as const).flatMap((op) =>
          KINDS.map((column): Predicate => ({ op, column, value: text })),
        )
        await answered(bench, access, { where: { op: 'or', all: ranges } })
        const where: Predicate = { op: 'contains', column: 'text', text }
        const { rows } = await readPage(bench.source, access, { where })
        expect(rows, JSON.stringify(text)).toHaveLength('x'.includes(text.toLowerCase()) ? 2 : 0)
      })
      await expectUnharmed(bench, access)
    }, 300_000)

    test('as columns and orders are unknown', async () => {
      const bench = await openBench(open, target)
      const access = await bench.access('target')
      await eachText(async (text) => {
        if (access.canRead(text)) return
        const queries: Partial<PageQuery>[] = [
          { columns: [text] },
          { sort: [{ column: text, descending: false }] },
          { where: { op: 'eq', column: text, value: 1 } },
          { where: { op: 'contains', column: text, text: 'x' } },
        ]
        for (const query of queries)
          await expect(readPage(bench.source, access, query), text).rejects.toMatchObject({
            code: 'TABLE_UNKNOWN_COLUMN',
          })
      })
      await expectUnharmed(bench, access)
    }, 300_000)

    test('as keys and places in an order lead nowhere else', async () => {
      const bench = await openBench(open, target)
      const access = await bench.access('target')
      await eachText(async (text) => {
        for (const [column, value] of [
          ['integer', text],
          ['text', text],
          ['date', text],
          ['float', text],
        ] as const)
          await answered(bench, access, {
            sort: [{ column, descending: false }],
            place: { at: 'after', anchor: { sort: [value], key: [text] } },
          })
        const where: Predicate = { op: 'eq', column: 'id', value: text }
        await answered(bench, access, { where })
      })
      await expectUnharmed(bench, access)
    }, 300_000)

    test('as what is written come back as they were, or are refused', async () => {
      const bench = await openBench(open, target)
      const [access, named] = [await bench.access('target'), await bench.access('named')]
      await eachText(async (text) => {
        await settled(async () => {
          const [result] = await writeRows(bench.source, access, [{ update: [1], set: { text } }])
          if (result?.status !== 'done') return
          const { rows } = await readPage(bench.source, access, {
            columns: ['text'],
            where: { op: 'eq', column: 'text', value: text },
          })
          expect(rows.map(({ values }) => values[0])).toEqual([text])
        }, text)
        await settled(() => writeRows(bench.source, named, [{ delete: [`${text}?`] }]), text)
      })
      await expectUnharmed(bench, access)
      await expectUnharmed(bench, named, 1)
    }, 300_000)
  })
}

async function eachText(work: (text: string) => Promise<void>): Promise<void> {
  for (const text of chosen(CORPUS)) await work(text)
}

/** Whether the question is answered, or refused as invalid. */
async function answered(bench: Bench, access: Access, query: Partial<PageQuery>): Promise<void> {
  await settled(() => readPage(bench.source, access, query), JSON.stringify(query))
}

async function settled(work: () => Promise<unknown>, what: string): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError && REFUSALS.has(error.code)))
      throw new Error(`${what}: ${String(error)}`, { cause: error })
  }
}

async function expectUnharmed({ source }: Bench, access: Access, rows = 2): Promise<void> {
  expect(await source.count(access, everything)).toEqual({ kind: 'exact', count: rows })
}
