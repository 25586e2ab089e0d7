/** The draft of a form: what was typed and not saved, which outlives the page. */

import { type Edits, isObject, isTexts } from './edits.ts'
import { isSectionEdits, NO_SECTIONS, type SectionEdits } from './section-edits.ts'

export type Draft = {
  readonly edits: Edits
  readonly sections: SectionEdits
  /** When it was typed last, ms. */
  readonly at: number
}

/** Drafts older than this are forgotten, ms. */
export const DRAFT_MS = 7 * 24 * 60 * 60 * 1000

const PREFIX = 'tablewire-draft '

/** Where drafts are kept: the tab's own storage, which ends with it. */
export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** `page`: the address of the form. */
export function readDraft(store: DraftStore, page: string, now: number): Draft | null {
  try {
    const found: unknown = JSON.parse(store.getItem(PREFIX + page) ?? 'null')
    const draft = isObject(found) ? { sections: NO_SECTIONS, ...found } : found
    return isDraft(draft) && now - draft.at < DRAFT_MS ? draft : null
  } catch {
    // Something else stands there, or the browser keeps nothing.
    return null
  }
}

/** Nothing typed is no draft. */
export function writeDraft(store: DraftStore, page: string, draft: Draft): void {
  const { edits, sections } = draft
  const touched = { ...edits.texts, ...sections.lines, ...sections.links }
  try {
    if (Object.keys(touched).length === 0) store.removeItem(PREFIX + page)
    else store.setItem(PREFIX + page, JSON.stringify(draft))
  } catch {
    // The storage is full or forbidden: the form works without it.
  }
}

function isDraft(found: unknown): found is Draft {
  if (!isObject(found) || typeof found['at'] !== 'number' || !isObject(found['edits'])) return false
  const { texts, seen } = found['edits']
  return isTexts(texts) && isTexts(seen) && isSectionEdits(found['sections'])
}
