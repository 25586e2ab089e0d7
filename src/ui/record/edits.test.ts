import { describe, expect, test } from 'vitest'
import {
  DRAFT_MS,
  type DraftStore,
  edited,
  type Edits,
  insisting,
  isContested,
  NO_EDITS,
  readDraft,
  type Texts,
  writeDraft,
} from './edits.ts'

function memory(): DraftStore {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
  }
}

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

describe('a draft', () => {
  test('is found again on the same page, for seven days', () => {
    const store = memory()
    writeDraft(store, '/tables/orders/records/1', typed({ note: 'fragile' }), 5)
    expect(readDraft(store, '/tables/orders/records/1', 6)).toEqual({
      ...{ edits: typed({ note: 'fragile' }), at: 5 },
    })
    expect(readDraft(store, '/tables/orders/records/2', 6)).toBeNull()
    expect(readDraft(store, '/tables/orders/records/1', 5 + DRAFT_MS)).toBeNull()
  })

  test('goes with the last edit', () => {
    const store = memory()
    writeDraft(store, '/a', typed({ note: 'x' }), 0)
    writeDraft(store, '/a', NO_EDITS, 1)
    expect(readDraft(store, '/a', 2)).toBeNull()
  })

  test('is none where something else stands, or the browser keeps nothing', () => {
    const store = memory()
    store.setItem('tablewire-draft /a', '{"edits":{"texts":{"note":7},"seen":{}},"at":1}')
    expect(readDraft(store, '/a', 2)).toBeNull()
    // As an earlier version kept them: what the person had seen is not known.
    store.setItem('tablewire-draft /a', '{"edits":{"note":"x"},"at":1}')
    expect(readDraft(store, '/a', 2)).toBeNull()
    const full: DraftStore = {
      ...memory(),
      setItem() {
        throw new Error('QuotaExceededError')
      },
    }
    expect(() => writeDraft(full, '/a', typed({ note: 'x' }), 0)).not.toThrow()
  })
})
