import { expect, test } from 'vitest'
import { encodeText, type FilterOffer, readList } from '../../protocol/filters.ts'
import { modeOf, modesOf, switched, textFilter } from './modes.ts'
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
