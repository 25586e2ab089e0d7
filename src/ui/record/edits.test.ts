import { describe, expect, test } from 'vitest'
import { DRAFT_MS, type DraftStore, edited, readDraft, writeDraft } from './edits.ts'

function memory(): DraftStore {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
  }
}

describe('an edit', () => {
  test('is kept until the field holds again what is stored', () => {
    const some = edited({}, 'note', 'fragile', null)
    expect(some).toEqual({ note: 'fragile' })
    expect(edited(some, 'note', null, null)).toEqual({})
  })

  test('tells NULL from an empty text', () => {
    expect(edited({}, 'note', '', null)).toEqual({ note: '' })
    expect(edited({}, 'note', null, '')).toEqual({ note: null })
  })
})

describe('a draft', () => {
  test('is found again on the same page, for seven days', () => {
    const store = memory()
    writeDraft(store, '/tables/orders/records/1', { note: 'fragile' }, 5)
    expect(readDraft(store, '/tables/orders/records/1', 6)).toEqual({
      ...{ edits: { note: 'fragile' }, at: 5 },
    })
    expect(readDraft(store, '/tables/orders/records/2', 6)).toBeNull()
    expect(readDraft(store, '/tables/orders/records/1', 5 + DRAFT_MS)).toBeNull()
  })

  test('goes with the last edit', () => {
    const store = memory()
    writeDraft(store, '/a', { note: 'x' }, 0)
    writeDraft(store, '/a', {}, 1)
    expect(readDraft(store, '/a', 2)).toBeNull()
  })

  test('is none where something else stands, or the browser keeps nothing', () => {
    const store = memory()
    store.setItem('tablewire-draft /a', '{"edits":{"note":7},"at":1}')
    expect(readDraft(store, '/a', 2)).toBeNull()
    const full: DraftStore = {
      ...memory(),
      setItem() {
        throw new Error('QuotaExceededError')
      },
    }
    expect(() => writeDraft(full, '/a', { note: 'x' }, 0)).not.toThrow()
  })
})
