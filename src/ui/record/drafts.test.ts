import { describe, expect, test } from 'vitest'
import { DRAFT_MS, type DraftStore, readDraft, writeDraft } from './drafts.ts'
import { type Edits, NO_EDITS, type Texts } from './edits.ts'
import { NO_SECTIONS, type SectionEdits } from './section-edits.ts'

function memory(): DraftStore {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => void items.set(name, text),
    removeItem: (name) => void items.delete(name),
  }
}

const typed = (texts: Texts, seen: Texts = { note: null }): Edits => ({ texts, seen })

const write = (
  store: DraftStore,
  page: string,
  at: number,
  edits: Edits,
  sections: SectionEdits = NO_SECTIONS,
) => writeDraft(store, page, { edits, sections, at })

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
  test('is found again on the same page, for seven days', () => {
    const store = memory()
    write(store, '/tables/orders/records/1', 5, typed({ note: 'fragile' }), SECTIONS)
    expect(readDraft(store, '/tables/orders/records/1', 6)).toEqual({
      ...{ edits: typed({ note: 'fragile' }), sections: SECTIONS, at: 5 },
    })
    expect(readDraft(store, '/tables/orders/records/2', 6)).toBeNull()
    expect(readDraft(store, '/tables/orders/records/1', 5 + DRAFT_MS)).toBeNull()
  })

  test('goes with the last edit', () => {
    const store = memory()
    write(store, '/a', 0, typed({ note: 'x' }))
    write(store, '/a', 1, NO_EDITS)
    expect(readDraft(store, '/a', 2)).toBeNull()
  })

  test('is none where something else stands, or the browser keeps nothing', () => {
    const store = memory()
    store.setItem('tablewire-draft /a', '{"edits":{"texts":{"note":7},"seen":{}},"at":1}')
    expect(readDraft(store, '/a', 2)).toBeNull()
    // As an earlier version kept them: what the person had seen is not known.
    store.setItem('tablewire-draft /a', '{"edits":{"note":"x"},"at":1}')
    expect(readDraft(store, '/a', 2)).toBeNull()
    store.setItem(
      'tablewire-draft /a',
      '{"edits":{"texts":{},"seen":{}},"sections":{"lines":{"a":{"lines":[{"id":1}],"order":null}},"links":{}},"at":1}',
    )
    expect(readDraft(store, '/a', 2)).toBeNull()
    // From before forms had sections.
    store.setItem(
      'tablewire-draft /a',
      '{"edits":{"texts":{"note":"x"},"seen":{"note":null}},"at":1}',
    )
    expect(readDraft(store, '/a', 2)).toMatchObject({
      edits: typed({ note: 'x' }),
      sections: NO_SECTIONS,
    })
    const full: DraftStore = {
      ...memory(),
      setItem() {
        throw new Error('QuotaExceededError')
      },
    }
    expect(() => write(full, '/a', 0, typed({ note: 'x' }))).not.toThrow()
  })
})
