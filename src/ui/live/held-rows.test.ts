import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ColumnView, Row, TableView } from '../../protocol/table-view.ts'
import { appended, changedCells, heldRows, type PinnedRow } from './held-rows.ts'

const column = (name: string): ColumnView => ({ name, label: name, kind: 'text' })

/** A page of rows `[key, title]`; what a live list does not look at is left out. */
const page = (rows: readonly (readonly [string, string])[], size = 4): TableView =>
  ({
    columns: [column('id'), column('title')],
    rows: rows.map(([key, title]): Row => [key, title, key, title]),
    page: { size },
  }) as never as TableView

const plain = (keys: string, size?: number) =>
  page(
    [...keys].map((key) => [key, key]),
    size,
  )
const drawn = (view: TableView | null) => view?.rows.map(([key]) => key).join('')

/** The row `a` is edited; `row`: what was last read of it by itself. */
const pinned = (row?: PinnedRow) => new Map([['a', row]])

describe('rows that came in', () => {
  test.each([
    ['at the top of a full page wait, and what made room for them stays', 'abcd', 'xyab', 'xy', ''],
    ['in the middle wait', 'abc', 'axbc', 'x', ''],
    ['wait, however many there are', 'abcd', 'wxyz', 'wxyz', ''],
    ['wait, and what is gone is told', 'abcd', 'xacd', 'x', 'b'],
    ['wait; only as many rows made room for them', 'abcd', 'xa', 'x', 'bc'],
  ])('%s', (_, before, now, came, gone) => {
    const held = heldRows(plain(before), plain(now))
    expect(drawn(held)).toBe(before)
    expect(held?.waiting).toEqual({ came: [...came], gone: [...gone] })
  })

  test.each([
    ['at the end of a page', 'abc', 'abcx'],
    ['in place of one that has gone', 'abcd', 'acde'],
    ['on an empty page', '', 'ab'],
  ])('are shown at once %s', (_, before, now) => {
    expect(heldRows(plain(before), plain(now))).toBeNull()
  })

  test('wait while what is shown has its newest cells', () => {
    const held = heldRows(page([['a', 'old']]), page([['x', 'x'], ['a', 'new']])) // prettier-ignore
    expect(held?.rows).toEqual([['a', 'new', 'a', 'new']])
  })

  test('are counted by no sum: those of the rows that stay are kept while their cells do not change', () => {
    const sums = (text: string): NonNullable<TableView['sums']> => [{ place: 1, kind: 'sum', text }]
    const [before, same, other] = [
      page([['a', '1']]),
      page([['x', '5'], ['a', '1']]), // prettier-ignore
      page([['x', '5'], ['a', '2']]), // prettier-ignore
    ]
    const held = (fresh: TableView) =>
      heldRows({ ...before, sums: sums('1') }, { ...fresh, sums: sums('6') })
    expect(held(same)?.sums).toEqual(sums('1'))
    expect(held(other)?.sums).toEqual([])
  })

  test('are shown at once where the columns are others', () => {
    const fresh = { ...plain('xab'), columns: [column('id')] }
    expect(heldRows(plain('ab'), fresh)).toBeNull()
  })
})

describe('a row whose cell is edited', () => {
  test.each([
    ['does not move', 'abc', 'bca', ''],
    ['does not go', 'abc', 'bc', ''],
    ['is not told of as gone, though others are', 'abc', 'c', 'b'],
  ])('%s', (_, before, now, gone) => {
    const held = heldRows(plain(before), plain(now), pinned())
    expect(drawn(held)).toBe(before)
    expect(held?.waiting).toEqual({ came: [], gone: [...gone] })
  })

  describe('that has left the page', () => {
    const shown = { ...plain('ab'), sums: [{ place: 1, kind: 'sum', text: '1' } as const] }
    const held = (row?: PinnedRow, now = 'b') => heldRows(shown, plain(now), pinned(row))

    test('shows what was last read of it, which its sums do not count', () => {
      const now: Row = ['a', 'new', 'a', 'new']
      expect(held(now)?.rows).toEqual([now, shown.rows[1]])
      expect(held(now)?.sums).toEqual([])
      expect(held()?.rows).toEqual(shown.rows)
    })

    test('goes where nothing was found of it, also from the sums', () => {
      expect(drawn(held(null))).toBe('b')
      expect(held(null)?.sums).toEqual([])
    })

    test('shows what the page has once it is back', () => {
      expect(drawn(held(null, 'ba'))).toBe('ab')
      expect(held(['a', 'old', 'a', 'old'], 'ba')?.rows).toEqual(shown.rows)
    })
  })

  test('holds nothing back where it stays by itself', () => {
    expect(heldRows(plain('abc'), plain('acb'), pinned())).toBeNull()
  })
})

test('nothing that is shown ever moves while rows wait, and none is told of twice', () => {
  const keys = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 5 })
  fc.assert(
    fc.property(keys, keys, (before, now) => {
      const [shown, fresh] = [plain(before.join(''), 5), plain(now.join(''), 5)]
      const held = heldRows(shown, fresh)
      if (!held?.waiting) {
        // Then no row that is new stands before one that was shown.
        const last = now.findLastIndex((key) => before.includes(key))
        expect(before.length === 0 || now.slice(0, last + 1).every((key) => before.includes(key))).toBe(true) // prettier-ignore
        return
      }
      const { came, gone } = held.waiting
      expect(drawn(held)).toBe(before.join(''))
      expect(came.every((key) => now.includes(key) && !before.includes(key))).toBe(true)
      expect(gone.every((key) => before.includes(key) && !now.includes(key))).toBe(true)
    }),
  )
})

test('changed cells are those of the same row and column', () => {
  const before = page([['a', 'one'], ['b', 'two']]) // prettier-ignore
  const now = page([['x', 'two'], ['b', 'three'], ['a', 'one']]) // prettier-ignore
  expect(changedCells(before, now)).toEqual([{ key: 'b', column: 'title' }])
  expect(changedCells(before, { ...now, columns: [column('id')] })).toEqual([])
})

test('rows were appended only where the page had room', () => {
  expect(appended(plain('ab', 3), plain('abc', 3))).toEqual(['c'])
  expect(appended(plain('abc', 3), plain('bcd', 3))).toEqual([])
})
