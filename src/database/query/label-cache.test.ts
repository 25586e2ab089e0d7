import { expect, test } from 'vitest'
import { fullAccess } from '../../../test/contracts/actors.ts'
import type { Table } from '../../table/source/schema.ts'
import { LabelCache } from './label-cache.ts'

const table: Table = {
  name: 'people',
  kind: 'table',
  columns: [],
  key: [],
  foreignKeys: [],
  indexes: [],
  estimate: null,
} as unknown as Table // What else a table has does not matter here.

const relation = { column: 'person', access: fullAccess(table), references: 'id', label: 'name' }

test('labels are kept for a grant and a state of the data', () => {
  const cache = new LabelCache()
  cache.of(relation, '1').set('5', 'Ada')
  expect(cache.of(relation, '1').get('5')).toBe('Ada')
  expect(cache.of({ ...relation, access: fullAccess(table) }, '1').get('5')).toBeUndefined()
  expect(cache.of(relation, '2').get('5')).toBeUndefined()
})

test('what is forgotten for want of room is still there for the page that is being made', () => {
  const cache = new LabelCache()
  const held = cache.of(relation, '1')
  for (let id = 0; id <= 20_000; id++) held.set(String(id), 'a label')
  const next = cache.of(relation, '1')
  expect(next.size).toBe(0)
  expect(cache.of(relation, '1')).toBe(next)
  expect(held.get('5')).toBe('a label')
})
