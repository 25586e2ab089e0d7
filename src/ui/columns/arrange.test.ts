/** What a person may do with columns, by what is sent. */

import { expect, test, vi } from 'vitest'
import type { ColumnView } from '../../protocol/table-view.ts'
import { arrangingOf, bounded, moved } from './arrange.ts'

const column = (name: string, more: Partial<ColumnView> = {}): ColumnView => ({
  ...{ name, label: name, kind: 'text' },
  ...more,
})

/** What each way to arrange a column sends. */
function waysOf(columns: readonly ColumnView[], name: string) {
  const actions = { setColumns: vi.fn(), pinColumns: vi.fn() }
  const ways = arrangingOf(
    { columns: [...columns] },
    columns.find((one) => one.name === name)!,
    actions,
  )
  return Object.fromEntries(
    Object.entries(ways).map(([way, run]) => {
      run()
      const sent = [...actions.setColumns.mock.calls, ...actions.pinColumns.mock.calls].flat()
      vi.clearAllMocks()
      return [way, sent[0]]
    }),
  )
}

test('a width stays in its bounds, in whole pixels', () =>
  expect([bounded(1), bounded(99.6), bounded(9999)]).toEqual([48, 100, 1280]))

test('a name moves by one place, and not beyond an end', () => {
  expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
  expect([moved(['a', 'b'], 'b', 1), moved(['a', 'b'], 'a', -1), moved(['a'], 'x', 1)]).toEqual([
    null,
    null,
    null,
  ])
})

test('a column is moved among those like it, kept in sight and hidden', () => {
  const columns = [column('name', { isLabel: true }), column('a'), column('b'), column('c')]
  expect(waysOf(columns, 'b')).toEqual({
    left: ['name', 'b', 'a', 'c'],
    right: ['name', 'a', 'c', 'b'],
    pin: ['b'],
    hide: ['name', 'a', 'c'],
  })
  expect(Object.keys(waysOf(columns, 'a'))).toEqual(['right', 'pin', 'hide'])
  expect(waysOf(columns, 'name')).toEqual({ hide: ['a', 'b', 'c'] })
  expect(waysOf([column('a')], 'a')).toEqual({ pin: ['a'] })
})

test('a pinned column moves among the pinned ones, of which there are three at most', () => {
  const pinned = ['a', 'b', 'c'].map((name) => column(name, { pinned: true }))
  const columns = [column('name', { isLabel: true }), ...pinned, column('d')]
  expect(waysOf(columns, 'b')).toMatchObject({ left: ['b', 'a', 'c'], pin: ['a', 'c'] })
  expect(Object.keys(waysOf(columns, 'd'))).toEqual(['hide'])
})
