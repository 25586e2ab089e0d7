/** An order that a person makes: the page after each move, what waits for it, and what is saved. */

import { beforeEach, expect, test } from 'vitest'
import type { OrderedPage, ReorderedRow, SeenNeighbours } from '../../protocol/reorder.ts'
import { SAME_AS_KEY, type TableView } from '../../protocol/table-view.ts'
import { createOrder, type Made, type MadeOrder, placedRows, START } from './order.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

const SIZE = 3
const pageWith = (number: number, keys: string): OrderedPage => ({
  rows: [...keys].map((key) => [key, SAME_AS_KEY]),
  except: [],
  start: (number - 1) * SIZE,
  count: 6,
  hasMore: number < 2,
})

const viewOf = (keys: string, number = 1): TableView => {
  const part = {
    rows: pageWith(1, keys).rows,
    page: { size: SIZE, number },
    total: { kind: 'exact', text: '6', count: 6 },
  }
  // Nothing else of a view is read for an order.
  return part as never
}

type Question = {
  readonly moves: [string, number][]
  readonly number: number
  answer(page: OrderedPage): void
  fail(): void
}

let made: Made
let drawn: OrderedPage[]
let asked: Question[]
let stored: { rows: ReorderedRow[]; seen: SeenNeighbours[] | undefined }[]
let isHeld: boolean
let order: MadeOrder
let first: TableView

const calls = {
  reorderPage: (moves: [string, number][], number: number) =>
    new Promise<OrderedPage>((answer, reject) => {
      asked.push({ moves, number, answer, fail: () => reject(new Error('away')) })
    }),
  async storeReorder(rows: ReorderedRow[], seen?: SeenNeighbours[]) {
    stored.push({ rows, seen })
    return { status: 'done', written: rows.length, entry: null } as const
  },
}

function begin(kept: Made = START): void {
  made = kept
  first = viewOf('abc')
  order = createOrder(kept, first, calls, {
    isHeld: () => isHeld,
    keep: (next) => void (made = next),
    draw: (page) => void drawn.push(page),
  })
}

beforeEach(() => {
  ;[drawn, asked, stored, isHeld] = [[], [], [], false]
  begin()
})

const rowAt = (rank: number, page = drawn.at(-1) ?? pageWith(1, 'abc')) =>
  placedRows(page).find((row) => row.rank === rank)!
const keys = () =>
  drawn
    .at(-1)
    ?.rows.map(([key]) => key)
    .join('')

test('the page that the list has drawn is not read again; another one is', () => {
  order.follow(first, calls)
  expect(asked).toEqual([])
  const view = viewOf('abc')
  order.follow(view, calls)
  order.follow(view, calls)
  expect(asked).toHaveLength(1)
})

test('while a row is lifted, nothing is read, and no answer is shown', async () => {
  void order.load()
  isHeld = true
  asked[0]?.answer(pageWith(1, 'xyz'))
  await settle()
  order.follow(viewOf('xyz'), calls)
  expect([asked.length, drawn]).toEqual([1, []])
})

test('a move within the page is shown at once, and reads nothing', () => {
  order.move(rowAt(1), 3)
  expect([keys(), asked]).toEqual(['bca', []])
  expect(made.moves).toMatchObject([{ key: 'a', from: 1, to: 3 }])
})

test('a move to the place where a row stands is none', () => {
  order.move(rowAt(2), 2)
  expect([made, drawn]).toEqual([START, []])
})

test('a move to another page reads that page, with all moves', async () => {
  order.move(rowAt(1), 5)
  expect(asked).toMatchObject([{ moves: [['a', 5]], number: 2 }])
  asked[0]?.answer(pageWith(2, 'eaf'))
  await settle()
  expect(keys()).toBe('eaf')
})

test('of pages that are read one after another, only the newest is shown', async () => {
  void order.turnTo(2)
  void order.turnTo(1)
  asked[1]?.answer(pageWith(1, 'abc'))
  asked[0]?.answer(pageWith(2, 'def'))
  await settle()
  expect(drawn.map(({ start }) => start)).toEqual([0])
})

test('what comes while a page is read waits for it, and then happens in turn', async () => {
  const [a, b] = [rowAt(1), rowAt(2)]
  order.move(a, 5)
  const done: string[] = []
  order.whenShown(
    () => a,
    ({ rank }) => void done.push(`a at ${rank}`),
  )
  // This row is on another page by then.
  order.whenShown(
    () => b,
    () => void done.push('b'),
  )
  expect(order.isWaiting()).toBe(true)
  asked[0]?.answer(pageWith(2, 'eaf'))
  await settle()
  expect(done).toEqual(['a at 5'])
  expect([asked.length, order.isWaiting()]).toEqual([2, false])
})

test('what waits is given up where the page cannot be read', async () => {
  const a = rowAt(1)
  order.move(a, 5)
  const done: string[] = []
  order.whenShown(
    () => a,
    () => void done.push('a'),
  )
  asked[0]?.fail()
  await settle()
  asked[1]?.fail()
  await order.finalMoves()
  expect([done, order.isWaiting()]).toEqual([[], false])
})

test('a step that is taken back is told once its page is shown', async () => {
  order.move(rowAt(1), 3)
  const back = order.takeBack()
  expect(made).toEqual(START)
  asked[0]?.answer(pageWith(1, 'abc'))
  expect(await back).toEqual({ key: 'a', label: 'a', rank: 1 })
  expect(await order.takeBack()).toBe(undefined)
})

test('rows that have gone take their moves along', () => {
  order.move(rowAt(1), 3)
  order.move(rowAt(1), 2)
  order.drop(['a'])
  expect(made.moves.map(({ key }) => key)).not.toContain('a')
  expect([made.past, asked.length]).toEqual([[], 1])
})

test('moves are saved with what the person saw beside them, unless they want them anyway', async () => {
  order.move(rowAt(1), 3)
  await order.save('id', 'position', false)
  await order.save('id', 'position', true)
  expect(stored).toEqual([
    {
      rows: [{ id: 'a', position: 3 }],
      seen: [{ key: 'a', previous: 'c', from: { previous: null, next: 'b' } }],
    },
    { rows: [{ id: 'a', position: 3 }], seen: undefined },
  ])
})

test('an order that was kept with its page is read when the person comes back', () => {
  order.move(rowAt(1), 3)
  const kept = made
  begin(kept)
  order.follow(viewOf('abc'), calls)
  expect(asked).toMatchObject([{ moves: [['a', 3]], number: 1 }])
  order.forget()
  expect(made).toEqual(START)
})
