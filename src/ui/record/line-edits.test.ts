import { describe, expect, test } from 'vitest'
import type { LinesView } from '../../protocol/form-sections.ts'
import type { Texts } from './edits.ts'
import {
  addLine,
  begunLines,
  changeLine,
  contestedIn,
  countLines,
  isGone,
  isOrderContested,
  keepMine,
  keepOrder,
  type LinesEdits,
  linesIn,
  moveLine,
  NO_LINES,
  putBack,
  removeLine,
  savedLines,
  takeOrder,
  takeTheirs,
  textsOf,
} from './line-edits.ts'

type Stored = { readonly [key: string]: Texts }

const STORED: Stored = {
  1: { product: 'Kettle', quantity: '2' },
  2: { product: 'Quill', quantity: '4' },
  3: { product: 'Ink', quantity: '10' },
}

const viewOf = (stored: Stored = STORED, order = Object.keys(stored)): LinesView => ({
  ...{
    name: 'lines',
    label: 'Lines',
    href: null,
    fields: [],
    fixed: [],
    locked: { added: [], stored: [] },
    sums: [],
    tooMany: null,
  },
  ...{ may: { add: true, change: true, remove: true, order: true }, copied: [] },
  rows: order.map((key) => ({ key, texts: { ...stored[key] }, labels: {} })),
})

const standing = (view: LinesView, edits: LinesEdits, id: string) => {
  const line = linesIn(view, edits).find((one) => one.id === id)
  if (!line) throw new Error(`There is no line ${id}.`)
  return line
}

const typed = (
  view: LinesView,
  edits: LinesEdits,
  id: string,
  column: string,
  text: string | null,
) => changeLine(edits, standing(view, edits, id), column, text)

const idsIn = (view: LinesView, edits: LinesEdits) => linesIn(view, edits).map(({ id }) => id)

test('lines that come with a copy are saved as new ones, and count only once they are touched', () => {
  const texts = { product: 'Kettle', quantity: '2' }
  const copied = ['new 1', 'new 2'].map((key) => ({ key, texts, labels: {} }))
  const view = { ...viewOf({}), copied }
  const begun = begunLines(view)
  expect(countLines(begun).changed).toBe(0)
  expect(savedLines(view, begun)?.lines).toMatchObject([
    { id: 'new 1', key: null, isRemoved: false, texts },
    { id: 'new 2', key: null, isRemoved: false, texts },
  ])
  const changed = typed(view, begun, 'new 2', 'quantity', '3')
  expect(countLines(changed)).toEqual({ added: 1, removed: 0, changed: 1 })
  const fewer = removeLine(changed, standing(view, changed, 'new 1'))
  expect(
    savedLines(view, fewer)?.lines.map(({ id, texts: { quantity } }) => [id, quantity]),
  ).toEqual([['new 2', '3']])
  expect(addLine(begun).id).toBe('new 3')
})

describe('a line', () => {
  test('that holds again what is stored was not touched', () => {
    const view = viewOf()
    const edits = typed(view, NO_LINES, '2', 'quantity', '5')
    expect(textsOf(standing(view, edits, '2'))).toEqual({ product: 'Quill', quantity: '5' })
    expect(savedLines(view, edits)).toEqual({
      lines: [
        { id: '2', key: '2', isRemoved: false, texts: { quantity: '5' }, seen: { quantity: '4' } },
      ],
      order: null,
    })
    expect(typed(view, edits, '2', 'quantity', '4')).toEqual(NO_LINES)
  })

  test('that is new is saved once something is typed into it, and goes at once until then', () => {
    const view = viewOf()
    const { edits, id } = addLine(NO_LINES)
    expect([savedLines(view, edits), countLines(edits).changed]).toEqual([null, 0])
    expect(removeLine(edits, standing(view, edits, id))).toEqual(NO_LINES)
    const filled = typed(view, edits, id, 'product', 'Wax')
    expect(savedLines(view, filled)?.lines).toEqual([
      { id, key: null, isRemoved: false, texts: { product: 'Wax' }, seen: { product: null } },
    ])
    expect(addLine(filled).id).not.toBe(id)
    // What was typed can be put back.
    const removed = removeLine(filled, standing(view, filled, id))
    expect(savedLines(view, removed)).toBeNull()
    expect(putBack(removed, standing(view, removed, id))).toEqual(filled)
  })

  test('that is removed goes by what was seen of it, and can be put back with what was typed', () => {
    const view = viewOf()
    const edits = typed(view, NO_LINES, '2', 'quantity', '5')
    const removed = removeLine(edits, standing(view, edits, '2'))
    expect(textsOf(standing(view, removed, '2'))).toEqual(STORED[2])
    expect(countLines(removed)).toEqual({ changed: 1, added: 0, removed: 1 })
    expect(savedLines(view, removed)?.lines).toEqual([
      { id: '2', key: '2', isRemoved: true, texts: {}, seen: STORED[2] },
    ])
    expect(putBack(removed, standing(view, removed, '2'))).toEqual(edits)
  })
})

describe('what others change meanwhile', () => {
  const theirs = viewOf({ ...STORED, 2: { product: 'Quill', quantity: '7' } })

  test('is asked about where both have changed a field, and merged elsewhere', () => {
    const view = viewOf()
    const other = typed(view, NO_LINES, '2', 'product', 'Pen')
    expect(contestedIn(standing(theirs, other, '2'))).toEqual([])
    expect(textsOf(standing(theirs, other, '2'))).toEqual({ product: 'Pen', quantity: '7' })
    // Who begins with what they have saved is not asked.
    const later = typed(theirs, other, '2', 'quantity', '8')
    expect(contestedIn(standing(theirs, later, '2'))).toEqual([])
    const mine = typed(view, NO_LINES, '2', 'quantity', '5')
    const line = standing(theirs, mine, '2')
    expect(contestedIn(line)).toEqual(['quantity'])
    expect(takeTheirs(mine, line, 'quantity')).toEqual(NO_LINES)
    const kept = keepMine(mine, line, ['quantity'])
    expect(contestedIn(standing(theirs, kept, '2'))).toEqual([])
    expect(savedLines(theirs, kept)?.lines[0]).toMatchObject({ seen: { quantity: '7' } })
  })

  test('is asked about in a line that was removed here', () => {
    const view = viewOf()
    const removed = removeLine(NO_LINES, standing(view, NO_LINES, '2'))
    const line = standing(theirs, removed, '2')
    expect(contestedIn(line)).toEqual(['quantity'])
    expect(contestedIn(standing(theirs, keepMine(removed, line, ['quantity']), '2'))).toEqual([])
  })

  test('leaves a line that they have removed in sight if it was changed here', () => {
    const view = viewOf()
    const mine = typed(view, NO_LINES, '2', 'quantity', '5')
    const { 2: _, ...others } = STORED
    const line = standing(viewOf(others), mine, '2')
    expect(isGone(line)).toBe(true)
    expect(textsOf(line)).toEqual({ product: 'Quill', quantity: '5' })
    expect(removeLine(mine, line)).toEqual(NO_LINES)
    // Both have removed it.
    const removed = removeLine(NO_LINES, standing(view, NO_LINES, '2'))
    expect(idsIn(viewOf(others), removed)).toEqual(['1', '3'])
    expect(savedLines(viewOf(others), removed)?.lines).toEqual([])
  })
})

describe('an order', () => {
  test('is that of all lines, new ones among them, and is none once all are back', () => {
    const view = viewOf()
    const { edits, id } = addLine(NO_LINES)
    const filled = typed(view, edits, id, 'product', 'Wax')
    const moved = moveLine(view, filled, id, 1)
    expect(idsIn(view, moved)).toEqual(['1', id, '2', '3'])
    expect(savedLines(view, moved)?.order).toEqual({
      seen: ['1', '2', '3'],
      ids: ['1', id, '2', '3'],
    })
    expect(moveLine(view, moved, id, 3).order).toBeNull()
    expect(moveLine(view, moved, id, 4)).toBe(moved)
    const next = addLine(moved)
    expect(idsIn(view, next.edits).at(-1)).toBe(next.id)
  })

  test('that others have changed is asked about; lines that came are no other order', () => {
    const view = viewOf()
    const moved = moveLine(view, NO_LINES, '3', 0)
    const more = viewOf({ ...STORED, 4: { product: 'Wax' } })
    expect(isOrderContested(more, moved)).toBe(false)
    expect(idsIn(more, moved)).toEqual(['3', '1', '2', '4'])
    const theirs = viewOf(STORED, ['2', '1', '3'])
    expect(isOrderContested(theirs, moved)).toBe(true)
    expect(idsIn(theirs, takeOrder(moved))).toEqual(['2', '1', '3'])
    const kept = keepOrder(theirs, moved)
    expect(isOrderContested(theirs, kept)).toBe(false)
    expect(savedLines(theirs, kept)?.order).toEqual({
      ...{ seen: ['2', '1', '3'], ids: ['3', '1', '2'] },
    })
  })
})

test('a line that came with a copy is saved with what it began with', () => {
  const [id, texts] = ['new 1', { price: '7.777', note: 'thin' }]
  const view = { ...viewOf({}), copied: [{ key: id, texts, labels: {} }] }
  const edits = typed(view, begunLines(view), id, 'note', 'thick')
  expect(savedLines(view, edits)?.lines).toMatchObject([
    { key: null, texts: { price: '7.777', note: 'thick' }, seen: texts },
  ])
})
