import { describe, expect, test } from 'vitest'
import { edited, type Edits, insisting, isContested, NO_EDITS, type Texts } from './edits.ts'

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
