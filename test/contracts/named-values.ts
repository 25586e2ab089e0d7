/** Values with declared names: shown, filtered, searched and exported by them, the same on every engine. */

import readSheets from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import type { FixtureTable, OpenFixture } from './fixture.ts'
import { exportFile, openList } from './listed.ts'
import { openBench } from './opened.ts'

const tickets: FixtureTable = {
  name: 'tickets',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'state', type: 'integer', nullable: true },
    { name: 'sort', type: 'text', nullable: true },
  ],
  key: ['id'],
  rows: [
    [1, 1, 'b'],
    [2, 2, 'q'],
    [3, 7, 'bq'],
    [4, null, null],
    [5, 2, 'b'],
  ],
}

const definitions: Definitions = {
  tickets: {
    columns: {
      state: { values: { 1: 'Open', 2: 'Closed, =done' } },
      sort: { values: { b: 'Bug', q: 'Question 7' } },
    },
  },
}

export function namedValuesContract(name: string, open: OpenFixture): void {
  describe(`${name}: values with names`, () => {
    const opened = async (query: string) => {
      const { source } = await openBench(open, { tables: [tickets] })
      return openList(source, 'tickets', { definitions, query })
    }

    test('are shown and filtered by them', async () => {
      const { list, texts } = await opened('sort=id')
      expect(texts('state')).toEqual(['Open', 'Closed, =done', '7', '', 'Closed, =done'])
      expect(texts('sort')).toEqual(['Bug', 'Question 7', 'Bq', '', 'Bug'])
      const offer = list.view.filters.offers.find(({ key }) => key === 'state')
      expect(offer?.control).toEqual({
        type: 'choice',
        choices: [
          { value: '1', label: 'Open', tone: 'new' },
          { value: '2', label: 'Closed, =done', tone: 'idle' },
          // What is stored and has no name.
          { value: '7', label: '7', tone: 'idle' },
        ],
      })
      const { choices } = (await list.call.facets('state'))!
      const counts = Object.fromEntries(choices.map(({ label, count }) => [label, count]))
      expect(counts).toEqual({ 'Closed, =done': 2, Open: 1, 7: 1, 'no value': 1 })
      const closed = await opened('sort=id&filter.state.in=2')
      expect(closed.keys()).toEqual(['2', '5'])
      expect(closed.list.view.filters.chips[0]).toMatchObject({ value: 'Closed, =done' })
    })

    test('are found by them, and by what is stored where it has no name', async () => {
      const found = async (text: string) =>
        (await opened(`sort=id&search=${encodeURIComponent(text)}`)).keys()
      expect(await found('cLoSed')).toEqual(['2', '5'])
      expect(await found('"bug"')).toEqual(['1', '5'])
      expect(await found('7')).toEqual(['2', '3'])
      expect(await found('2')).toEqual(['2'])
      expect(await found('bug open')).toEqual(['1'])
    })

    test('are exported as they are stored, or by their names', async () => {
      const { source } = await openBench(open, { tables: [tickets] })
      const of = (more: Parameters<typeof exportFile>[2]) =>
        exportFile(source, 'tickets', { definitions, query: 'sort=id', ...more })
      const lines = async (references: 'keys' | 'names' | 'both') =>
        (await of({ references })).toString().slice(1).trimEnd().split('\r\n')
      expect(await lines('keys')).toEqual([
        'ID,State,Sort',
        ...['1,1,b', '2,2,q', '3,7,bq', '4,,', '5,2,b'],
      ])
      expect((await lines('names')).slice(0, 5)).toEqual([
        'ID,State,Sort',
        ...['1,Open,Bug', '2,"Closed, =done",Question 7', '3,7,bq', '4,,'],
      ])
      expect((await lines('both')).slice(0, 2)).toEqual([
        'ID,State,"State, name",Sort,"Sort, name"',
        '1,1,Open,b,Bug',
      ])
      const [, , third] = JSON.parse((await of({ references: 'both', format: 'json' })).toString())
      expect(third).toEqual({ id: 3, state: 7, 'state.name': 7, sort: 'bq', 'sort.name': 'bq' })
      const [sheet] = await readSheets(await of({ references: 'names', format: 'xlsx' }))
      expect(sheet!.data[1]).toEqual([1, 'Open', 'Bug'])
      expect(sheet!.data[3]).toEqual([3, 7, 'bq'])
    })
  })
}
