/** The groups of the sidebar. */

import { expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import type { RailFold } from '../../protocol/admin-view.ts'
import { inferTables } from '../../table/definition/infer.ts'
import { createAddresses } from '../addresses.ts'
import { type RailChoices, tableGroups } from './rail-groups.ts'

const table = (name: string, more: object = {}) => {
  const [schema, own] = name.split('.')
  const inSchema = schema === undefined || own === undefined ? {} : { schema }
  return tableOf([columnOf('id', { type: 'integer' })], { name, ...inSchema, ...more })
}
const named = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, at) => table(`${prefix}${'abcdefghijklmnopqrstuvwxyz'[at]}`))

const nothing: RailChoices = { recent: [], isPinned: () => false, isOpen: () => undefined }

function groupsOf(tables: ReturnType<typeof table>[], choices: Partial<RailChoices> = {}) {
  const definitions = [...inferTables(tables).values()]
  const reader = { addresses: createAddresses(''), locale: 'en', language: 'en' }
  return tableGroups(definitions, { ...nothing, ...choices }, reader)
}

/** What folds, as text. */
const drawFold = ({ id, label, prefix, isOpen, items, folds = [] }: RailFold): string =>
  [id, label, prefix, isOpen, items.length, ...folds.map(drawFold)].join('|')

const foldsOf = (...[tables, choices]: Parameters<typeof groupsOf>) =>
  groupsOf(tables, choices).all.flatMap(({ folds = [] }) => folds.map(drawFold))

test('many tables whose names begin with the same word fold together, and few do not', () => {
  expect(foldsOf([...named(6, 'auth_'), ...named(5, 'blog_'), table('auth')])).toEqual([
    'tables auth_|Auth …|Auth |true|6',
  ])
})

test('tables outside the default schema fold by schema, then by prefix', () => {
  const tables = [...named(2), ...named(3, 'sales.'), ...named(6, 'sales.order_')]
  expect(foldsOf([...tables, ...named(1, 'archive.')])).toEqual([
    'tables archive.|archive|Archive |true|1',
    'tables sales.|sales|Sales |true|3|tables sales.order_|Order …|Sales order |true|6',
  ])
})

test('many tables are folded but where the person has opened them, or the current one is', () => {
  const tables = [...named(26), ...named(6, 'auth_')]
  expect(foldsOf(tables)).toEqual(['tables auth_|Auth …|Auth ||6'])
  expect(foldsOf(tables, { isOpen: (id) => id === 'tables auth_' })).toEqual([
    'tables auth_|Auth …|Auth |true|6',
  ])
})

test('a prefix whose tables are labelled otherwise is called as it is stored', () => {
  const tables = named(6, 'wp_')
  const definitions = [...inferTables(tables).values()].map((one, at) =>
    at === 0 ? { ...one, label: 'Posts' } : one,
  )
  const reader = { addresses: createAddresses(''), locale: 'en', language: 'en' }
  const [group] = tableGroups(definitions, nothing, reader).all
  expect(group?.folds?.map(({ label, prefix }) => [label, prefix])).toEqual([['wp_…', '']])
})

test('views are a group of their own, and an empty group is left out', () => {
  const { all } = groupsOf([table('orders'), table('open_orders', { kind: 'view' })])
  expect(all.map(({ kind, items }) => [kind, items.length])).toEqual([
    ['tables', 1],
    ['views', 1],
  ])
  expect(groupsOf([table('orders')]).all.map(({ kind }) => kind)).toEqual(['tables'])
})

test('recent tables are shown last opened first, but not those that are pinned or in sight', () => {
  const topOf = (...[tables, choices]: Parameters<typeof groupsOf>) =>
    groupsOf(tables, choices).top.map(({ kind, items }) => [kind, ...items.map(({ name }) => name)])
  const choices = { recent: ['c', 'gone', 'a', 'b'], isPinned: (name: string) => name === 'a' }
  expect(topOf(named(26), choices)).toEqual([
    ['pinned', 'a'],
    ['recent', 'c', 'b'],
  ])
  expect(topOf(named(20), choices)).toEqual([['pinned', 'a']])
})

test('tables of the same label show their names', () => {
  const [orders, old] = [...inferTables([table('orders'), table('old_orders')]).values()]
  const reader = { addresses: createAddresses(''), locale: 'en', language: 'en' }
  const definitions = [orders!, { ...old!, label: 'Orders' }]
  const [group] = tableGroups(definitions, nothing, reader).all
  expect(group?.items.map(({ label, real }) => [label, real])).toEqual([
    ['Orders', 'orders'],
    ['Orders', 'old_orders'],
  ])
})
