import { describe, expect, test } from 'vitest'
import {
  DRAFT_MS,
  type DraftPlace,
  DRAFTS_MAX,
  type DraftStore,
  readDraft,
  writeDraft,
} from './drafts.ts'
import { type Edits, NO_EDITS, type Texts } from './edits.ts'
import { draftNames, forgetDrafts } from './forget-drafts.ts'
import { NO_SECTIONS, type SectionEdits } from './section-edits.ts'

function memory(): DraftStore {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
    key: (at) => [...items.keys()][at] ?? null,
    get length() {
      return items.size
    },
  }
}

const typed = (texts: Texts, seen: Texts = { note: null }): Edits => ({ texts, seen })

const place = (page: string, tab = 'one', person = 'ana'): DraftPlace => ({ person, tab, page })

const write = (
  store: DraftStore,
  at: DraftPlace,
  time: number,
  edits: Edits,
  sections: SectionEdits = NO_SECTIONS,
) => writeDraft(store, at, { edits, sections, at: time })

const noteIn = (store: DraftStore, at: DraftPlace, now: number) =>
  readDraft(store, at, now)?.edits.texts['note']

const SECTIONS: SectionEdits = {
  lines: {
    'order_lines(order_id)': {
      lines: [{ id: '1', isNew: false, isRemoved: true, texts: {}, seen: { note: null } }],
      order: { seen: ['1', '2'], ids: ['2', '1'] },
    },
  },
  links: { 'order_tags(order_id)': { added: [{ text: '1', label: null }], removed: ['2'] } },
}

describe('a draft', () => {
  test('knows files and related rows by their names', () => {
    const store = memory()
    const draft = { edits: typed({ photo: 'x1' }, { photo: null }), sections: NO_SECTIONS, at: 1 }
    writeDraft(store, place('/a'), { ...draft, labels: { photo: 'engine.jpg' } })
    expect(readDraft(store, place('/a'), 2)?.labels).toEqual({ photo: 'engine.jpg' })
    store.setItem(draftNames(store)[0] ?? '', JSON.stringify({ ...draft, labels: { photo: 1 } }))
    expect(readDraft(store, place('/a'), 2)).toBeNull()
  })

  test('is found again on the same page, for seven days', () => {
    const store = memory()
    write(store, place('/tables/orders/records/1'), 5, typed({ note: 'fragile' }), SECTIONS)
    expect(readDraft(store, place('/tables/orders/records/1'), 6)).toMatchObject({
      ...{ edits: typed({ note: 'fragile' }), sections: SECTIONS, at: 5 },
    })
    expect(readDraft(store, place('/tables/orders/records/2'), 6)).toBeNull()
    // Whatever form is opened then, the browser keeps it no longer.
    expect(readDraft(store, place('/tables/orders/records/2'), 5 + DRAFT_MS)).toBeNull()
    expect(draftNames(store)).toEqual([])
  })

  test('is that of the tab, else the newest of the form', () => {
    const store = memory()
    write(store, place('/a', 'one'), 1, typed({ note: 'first' }))
    write(store, place('/a', 'two'), 2, typed({ note: 'second' }))
    expect(noteIn(store, place('/a', 'one'), 3)).toBe('first')
    expect(noteIn(store, place('/a', 'two'), 3)).toBe('second')
    expect(noteIn(store, place('/a', 'three'), 3)).toBe('second')
  })

  test('of another account is neither shown, nor kept beside one of theirs', () => {
    const store = memory()
    write(store, place('/a'), 1, typed({ note: 'mine' }))
    expect(readDraft(store, place('/a', 'one', 'ben'), 2)).toBeNull()
    write(store, place('/b', 'one', 'ben'), 2, typed({ note: 'theirs' }))
    expect(draftNames(store)).toEqual(['tablewire-draft one /b'])
  })

  test('goes with the last edit, and with signing out', () => {
    const store = memory()
    write(store, place('/a'), 0, typed({ note: 'x' }))
    write(store, place('/a'), 1, NO_EDITS)
    expect(readDraft(store, place('/a'), 2)).toBeNull()
    write(store, place('/a', 'one'), 3, typed({ note: 'x' }))
    write(store, place('/b', 'two'), 3, typed({ note: 'y' }))
    store.setItem('theirs', 'of the host')
    forgetDrafts(store, 4)
    expect(draftNames(store)).toEqual([])
    expect(store.getItem('theirs')).toBe('of the host')
  })

  test('takes the place of the oldest where there are too many, and of old ones where they are too long', () => {
    const store = memory()
    for (let at = 0; at <= DRAFTS_MAX; at++) write(store, place(`/${at}`), at, typed({ note: 'x' }))
    expect(draftNames(store)).toHaveLength(DRAFTS_MAX)
    expect(readDraft(store, place('/0'), DRAFTS_MAX)).toBeNull()
    expect(noteIn(store, place('/1'), DRAFTS_MAX)).toBe('x')
    for (let at = 30; at < 40; at++)
      write(store, place(`/${at}`), at, typed({ note: 'x'.repeat(200_000) }))
    expect(draftNames(store)).toHaveLength(4)
    write(store, place('/39'), 41, typed({ note: 'x'.repeat(300_000) }))
    expect(noteIn(store, place('/39'), 42)).toHaveLength(200_000)
  })

  test('is none where something else stands, or the browser keeps nothing', () => {
    const store = memory()
    const kept = { person: 'ana', page: '/a', at: 1, sections: NO_SECTIONS }
    for (const other of [
      '{',
      'null',
      JSON.stringify({ ...kept, edits: typed({}), at: 'now' }),
      JSON.stringify({ ...kept, edits: { texts: { note: 7 }, seen: {} } }),
      JSON.stringify({ ...kept, edits: { ...typed({ note: 'a' }), readings: { note: null } } }),
      JSON.stringify({
        ...{ ...kept, edits: typed({}) },
        sections: { lines: { a: { lines: [{ id: 1 }], order: null } }, links: {} },
      }),
    ]) {
      store.setItem('tablewire-draft one /a', other)
      expect(readDraft(store, place('/a'), 2)).toBeNull()
    }
    const full: DraftStore = {
      ...memory(),
      setItem() {
        throw new Error('QuotaExceededError')
      },
    }
    expect(() => write(full, place('/a'), 0, typed({ note: 'x' }))).not.toThrow()
  })
})
