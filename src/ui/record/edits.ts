/** What a person has typed into a form and not saved, and the draft of it that outlives the page. */

/** Texts of fields by column; `null` is NULL. */
export type Texts = { readonly [column: string]: string | null }

/** The fields that were touched, and what each held when the person began to. */
export type Edits = { readonly texts: Texts; readonly seen: Texts }

export const NO_EDITS: Edits = { texts: {}, seen: {} }

/** The edits with another text; a field that holds again what is stored was not touched. */
export function edited(
  { texts, seen }: Edits,
  column: string,
  text: string | null,
  stored: string | null,
): Edits {
  if (text === stored) return { texts: without(texts, column), seen: without(seen, column) }
  return { texts: { ...texts, [column]: text }, seen: { [column]: stored, ...seen } }
}

/** Whether somebody else has changed a field since the person began to, and to something else. */
export const isContested = (
  { texts, seen }: Edits,
  column: string,
  stored: string | null,
): boolean => column in texts && stored !== seen[column] && stored !== texts[column]

/** The edits of somebody who knows what the field holds now, and wants their own text all the same. */
export const insisting = (
  { texts, seen }: Edits,
  column: string,
  stored: string | null,
): Edits => ({
  ...{ texts, seen: { ...seen, [column]: stored } },
})

function without(texts: Texts, column: string): Texts {
  const { [column]: _, ...others } = texts
  return others
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
    if (Object.keys(edits.texts).length === 0) store.removeItem(PREFIX + page)
    else store.setItem(PREFIX + page, JSON.stringify({ edits, at: now } satisfies Draft))
  } catch {
    // The storage is full or forbidden: the form works without it.
  }
}

function isDraft(found: unknown): found is Draft {
  if (!isObject(found) || typeof found['at'] !== 'number' || !isObject(found['edits'])) return false
  return isTexts(found['edits']['texts']) && isTexts(found['edits']['seen'])
}

const isObject = (found: unknown): found is { readonly [name: string]: unknown } =>
  typeof found === 'object' && found !== null

const isTexts = (found: unknown): boolean =>
  isObject(found) && Object.values(found).every((text) => text === null || typeof text === 'string')
