import { expect, test } from 'vitest'
import type { LinesView, LineView } from '../../protocol/form-sections.ts'
import {
  addLine,
  begunLines,
  changeLine,
  type LinesEdits,
  linesIn,
  NO_LINES,
  removeLine,
} from './line-edits.ts'
import { sumOf } from './line-sums.ts'

const viewOf = (rows: LineView[]): LinesView => ({
  ...{
    name: 'lines',
    label: 'Lines',
    href: null,
    fields: [],
    fixed: [],
    locked: { added: [], stored: [] },
    tooMany: null,
    rows,
  },
  ...{ may: { add: true, change: true, remove: true, order: true }, copied: [], sums: [] },
})
const row = (key: string, price: string | null, more: Partial<LineView> = {}): LineView => ({
  ...{ key, texts: { price }, labels: {}, ...more },
})
const ASKED = { nullable: true, required: false }
const view = viewOf([row('1', '64.00'), row('2', '18.5'), row('3', null)])

const sum = (
  shown: LinesView,
  edits: LinesEdits,
  {
    field = ASKED,
    locale = 'en',
  }: { field?: typeof ASKED & { default?: string }; locale?: string } = {},
) => sumOf(linesIn(shown, edits), { column: 'price', field }, locale)
const fixedSum = (edits: LinesEdits) => sumOf(linesIn(view, edits), { column: 'price' }, 'en')
const lineOf = (id: string, edits = NO_LINES) =>
  linesIn(view, edits).find((line) => line.id === id) ?? expect.fail(id)
const typed = (id: string, text: string | null) => changeLine(NO_LINES, lineOf(id), 'price', text)

test('lines are added up as they stand in the form, to the last digit', () => {
  expect(sum(view, NO_LINES)).toBe('82.50')
  expect(sum(view, typed('3', '9007199254740993.001'))).toBe('9007199254741075.501')
  const money = sumOf(
    linesIn(view, removeLine(NO_LINES, lineOf('1'))),
    { column: 'price', isMoney: true },
    'en',
  )
  expect(money).toBe('18.50')
  expect(sum(view, removeLine(NO_LINES, lineOf('1')))).toBe('18.5')
  const { edits, id } = addLine(NO_LINES)
  expect(sum(view, edits)).toBe('82.50')
  expect(sum(view, changeLine(edits, lineOf(id, edits), 'price', '-90'))).toBe('-7.50')
})

test('what is typed is read as the reader writes it, and what is stored as it is', () => {
  expect(sum(view, typed('3', '1.000,25'), { locale: 'de' })).toBe('1082.75')
  expect(sum(viewOf([row('1', '1.234')]), NO_LINES, { locale: 'de' })).toBe('1.234')
})

test('a sum that cannot be known is none', () => {
  expect(sum(view, typed('3', 'many'))).toBeNull()
  expect(sum(viewOf([row('1', null, { fixed: ['price'] })]), NO_LINES)).toBeNull()
  expect(sum(viewOf([row('1', 'NaN')]), NO_LINES)).toBeNull()
  // The database works it out anew once the line is saved.
  expect(fixedSum(NO_LINES)).toBe('82.50')
  expect(fixedSum(typed('3', '1'))).toBeNull()
})

test('a new line counts what the database puts in place of nothing', () => {
  const { edits: begun, id } = addLine(NO_LINES)
  // A line in which nothing was typed is not saved.
  expect(sum(view, begun, { field: { ...ASKED, nullable: false, default: '1.5' } })).toBe('82.50')
  const edits = changeLine(begun, lineOf(id, begun), 'note', 'x')
  expect(sum(view, edits, { field: { ...ASKED, nullable: false, default: '1.5' } })).toBe('84.00')
  expect(sum(view, edits, { field: { nullable: false, required: true } })).toBe('82.50')
  // A default that is computed.
  expect(sum(view, edits, { field: { nullable: false, required: false } })).toBeNull()
})

test('takes what came with a copy as it is stored', () => {
  const copy = { ...viewOf([]), copied: [row('new 1', '7.777')] }
  expect(sum(copy, begunLines(copy), { locale: 'de-DE' })).toBe('7.777')
})
