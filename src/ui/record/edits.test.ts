import { describe, expect, test } from 'vitest'
import {
  edited,
  type Edits,
  insisting,
  isContested,
  NO_EDITS,
  readingsOf,
  type Texts,
} from './edits.ts'

const typed = (texts: Texts, seen: Texts = { note: null }): Edits => ({ texts, seen })

describe('an edit', () => {
  test('is kept until the field holds again what is stored', () => {
    const some = edited(NO_EDITS, 'note', 'fragile', null)
    expect(some).toEqual(typed({ note: 'fragile' }))
    expect(edited(some, 'note', null, null)).toEqual(NO_EDITS)
  })
  test('tells NULL from an empty text', () => {
    expect(edited(NO_EDITS, 'note', '', null)).toEqual(typed({ note: '' }))
    expect(edited(NO_EDITS, 'note', null, '')).toEqual(typed({ note: null }, { note: '' }))
  })
  test('remembers what the field held when it began, whatever others save meanwhile', () => {
    const begun = edited(NO_EDITS, 'note', 'a', 'old')
    const goingOn = edited(begun, 'note', 'ab', 'theirs')
    expect(goingOn.seen).toEqual({ note: 'old' })
    expect(isContested(goingOn, 'note', 'theirs')).toBe(true)
    expect(isContested(goingOn, 'note', 'ab')).toBe(false)
    expect(isContested(goingOn, 'other', 'theirs')).toBe(false)
    expect(isContested(insisting(goingOn, 'note', 'theirs'), 'note', 'theirs')).toBe(false)
  })
  test('of what a colleague had saved before it began is not contested', () => {
    expect(isContested(edited(NO_EDITS, 'note', 'mine', 'theirs'), 'note', 'theirs')).toBe(false)
  })
})

describe('a field that is read in another way meanwhile', () => {
  const cents = edited(NO_EDITS, 'price', '1300', '1250')
  const euros = edited(cents, 'price', '13', '12.50', 'EUR')

  test('keeps how it was read when the person typed, until they type again', () => {
    const fields = [
      { name: 'price', reading: 'EUR' },
      { name: 'fee', reading: 'EUR' },
      { name: 'note' },
    ]
    expect(readingsOf(fields, cents)).toEqual({ fee: 'EUR' })
    expect(readingsOf(fields, insisting(cents, 'price', '12.50'))).toEqual({ fee: 'EUR' })
    expect(readingsOf(fields, euros)).toEqual({ fee: 'EUR', price: 'EUR' })
  })

  test('is begun anew by typing', () => {
    const edits = { texts: { price: '13' }, seen: { price: '12.50' }, readings: { price: 'EUR' } }
    expect(euros).toEqual(edits)
    expect(edited(euros, 'price', '14', '9.99', 'EUR').seen).toEqual({ price: '12.50' })
    expect(edited(euros, 'price', '12.50', '12.50', 'EUR')).toEqual(NO_EDITS)
  })
})
