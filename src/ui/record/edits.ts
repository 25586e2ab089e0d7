/** What a person has typed into a form and not saved, and the draft of it that outlives the page. */

/** Texts of the fields that were touched, by column; `null` is NULL. */
export type Edits = { readonly [column: string]: string | null }

/** The edits with another text; a field that holds again what is stored was not touched. */
export function edited(
  edits: Edits,
  column: string,
  text: string | null,
  stored: string | null,
): Edits {
  const { [column]: _, ...others } = edits
  return text === stored ? others : { ...others, [column]: text }
}

export type Draft = {
  readonly edits: Edits
  /** When it was typed last, ms. */ readonly at: number
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
    return isDraft(found) && now - found.at < DRAFT_MS ? found : null
  } catch {
    // Something else stands there, or the browser keeps nothing.
    return null
  }
}

/** Nothing typed is no draft. */
export function writeDraft(store: DraftStore, page: string, edits: Edits, now: number): void {
  try {
    if (Object.keys(edits).length === 0) store.removeItem(PREFIX + page)
    else store.setItem(PREFIX + page, JSON.stringify({ edits, at: now } satisfies Draft))
  } catch {
    // The storage is full or forbidden: the form works without it.
  }
}

function isDraft(found: unknown): found is Draft {
  if (typeof found !== 'object' || found === null) return false
  if (!('edits' in found && 'at' in found) || typeof found.at !== 'number') return false
  const { edits } = found
  if (typeof edits !== 'object' || edits === null) return false
  return Object.values(edits).every((text) => text === null || typeof text === 'string')
}
