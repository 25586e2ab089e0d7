/** Rows that a type and an id refer to, which are found as the actor may see them, the same on every engine. */

import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../src/table/catalog.ts'
import { pairedReferences } from '../../src/table/record/paired.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { Value } from '../../src/table/source/value.ts'
import { actor } from './actors.ts'
import { type FixtureTable, type OpenFixture, people } from './fixture.ts'
import { reading } from './listed.ts'
import { openBench } from './opened.ts'

const remarks: FixtureTable = {
  name: 'remarks',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'about_type', type: 'text', nullable: true },
    { name: 'about_id', type: 'integer', nullable: true },
  ],
  key: ['id'],
  rows: [],
}

const onlyTeam = (team: number): Policy => ({
  version: '2',
  grant: (person, table) => ({
    ...reading.grant(person, table)!,
    ...(table.name === 'people' && { rows: { op: 'eq', column: 'team', value: team } as const }),
  }),
})

export function pairedContract(name: string, open: OpenFixture): void {
  describe(`${name}: a type and an id`, () => {
    test('lead to the row of that table, as far as the actor may see it', async () => {
      const { source } = await openBench(open, { tables: [people, remarks] })
      const labelsOf = async (type: Value, id: Value, policy = reading) => {
        const catalog = await createCatalog(source, policy)
        const row = {
          values: new Map([
            ['about_type', type],
            ['about_id', id],
          ]),
          masked: new Set<string>(),
        }
        const found = await pairedReferences(catalog.open(actor, 'remarks'), row, {
          ...{ source, tables: catalog.schema.tables },
          reader: { locale: 'en-US', language: 'en' },
          signal: new AbortController().signal,
          // The machine may be busy, and no limit of time is tried here.
          timeoutMs: 60_000,
        })
        return found.map(({ referred }) => referred?.label)
      }
      for (const type of ['people', 'Person', String.raw`App\Models\Person`, 'Crm::Person'])
        expect(await labelsOf(type, 2)).toEqual(['Bob'])
      for (const [type, id] of [
        ['Person', 9],
        ['Person', null],
        ['Ghost', 2],
        [null, 2],
      ] as const)
        expect(await labelsOf(type, id)).toEqual([])
      expect(await labelsOf('Person', 2, onlyTeam(1))).toEqual(['Bob'])
      expect(await labelsOf('Person', 2, onlyTeam(2))).toEqual([])
    })
  })
}
