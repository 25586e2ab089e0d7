import { expect, test } from 'vitest'
import { encodeText, type FilterOffer, readList } from '../../protocol/filters.ts'
import { controlFor, modeOf, modesOf, switched, textFilter } from './modes.ts'
import { decodeText } from './use-choices.ts'

const text: FilterOffer = { key: 'remarks', label: 'Remarks', control: { type: 'text' } }
const number: FilterOffer = {
  ...{ key: 'speed', label: 'Speed', nullable: true },
  control: { type: 'number' },
}

test('only where rows may hold nothing, emptiness is on offer', () => {
  expect(modesOf(text)).not.toContain('empty')
  expect(modesOf(number)).toEqual(['range', 'in', 'notIn', 'empty', 'filled'])
})

test('a value says which test it is', () => {
  expect(modeOf(text, undefined)).toBe('contains')
  expect(modeOf(text, { test: 'starts', text: 'x', not: true })).toBe('not-starts')
  expect(modeOf(number, { min: 1 })).toBe('range')
  expect(modeOf(number, { notIn: ['1'] })).toBe('notIn')
  expect(modeOf(number, { empty: false })).toBe('filled')
})

test('a value that no control of its column makes has one of its own', () => {
  const phase: FilterOffer = { key: 'phase', label: 'Phase', control: { type: 'choice' } }
  const value = { test: 'contains', text: 'x' } as const
  expect(controlFor(phase, value).type).toBe('text')
  expect(modesOf(phase, value)).toEqual(['in', 'notIn', 'contains'])
  expect(controlFor(phase, { since: '2024-03-01' }).type).toBe('date')
  expect(controlFor(phase, { in: ['x'] }).type).toBe('choice')
})

test('from one day on, or up to it, keeps the day of the other', () => {
  const day: FilterOffer = {
    ...{ key: 'day', label: 'Day' },
    control: { type: 'date', format: 'Y-m-d', weekStart: 0, zone: 'UTC' },
  }
  expect(modeOf(day, { until: '2024-03-01' })).toBe('until')
  expect(switched(day, { since: '2024-03-01' }, 'until')).toEqual({ until: '2024-03-01' })
  const range = { minDate: '2024-03-01', maxDate: '2024-03-31' }
  expect(switched(day, range, 'since')).toEqual({ since: '2024-03-01' })
  expect(switched(day, { since: '2024-03-01' }, 'range')).toBeNull()
  expect(switched(day, undefined, 'since')).toBeUndefined()
})

test('another test keeps what was entered where it can', () => {
  expect(textFilter('not-equals', 'x')).toEqual({ test: 'equals', text: 'x', not: true })
  expect(switched(text, { test: 'contains', text: 'x' }, 'not-starts')).toEqual({
    test: 'starts',
    text: 'x',
    not: true,
  })
  expect(switched(number, { in: ['1'] }, 'notIn')).toEqual({ notIn: ['1'] })
  expect(switched(number, { min: 1 }, 'in')).toBeNull()
  expect(switched(number, { empty: true }, 'range')).toBeNull()
  expect(switched(number, undefined, 'empty')).toEqual({ empty: true })
  expect(switched(text, undefined, 'starts')).toBeUndefined()
})

test('a pasted list has one value a line, each once; a single line may be separated by commas', () => {
  expect(readList(' a \nb\n\na\nc, d')).toEqual(['a', 'b', 'c, d'])
  expect(readList('a,b; c')).toEqual(['a', 'b', 'c'])
  expect(readList('1\t2')).toEqual(['1', '2'])
})

test('texts are read as addresses write them', () => {
  for (const value of ['', '%', 'a,b/c', '100%', '%2c'])
    expect(decodeText(encodeText(value))).toBe(value)
})
