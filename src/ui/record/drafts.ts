/** The drafts of forms: what was typed and not saved, which the browser keeps for its person until they sign out. */

import { type Edits, isObject, isTexts } from './edits.ts'
import { DRAFT_PREFIX, draftNames } from './forget-drafts.ts'
import { isSectionEdits, type SectionEdits } from './section-edits.ts'

/** What was typed into a form. */
export type Typed = {
  readonly edits: Edits
  readonly sections: SectionEdits
  /** What the edits stand for, by column: names of files, and labels of related rows. Default: nothing is known. */
  readonly labels?: Labels
}

export type Labels = { readonly [column: string]: string }

export type Draft = Typed & {
  /** When it was typed last, ms. */
  readonly at: number
}

/** Drafts older than this are forgotten, ms. */
export const DRAFT_MS = 7 * 24 * 60 * 60 * 1000
/** Most drafts that are kept. */
export const DRAFTS_MAX = 20
/** How long one may be, and all before another one is added, characters: the browser shares 5 million with the host. */
const ONE_MAX = 250_000
const ALL_MAX = 1_000_000

/** The storage that all tabs of the browser share. */
export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export type DraftPlace = {
  /** Whose drafts they are: nobody is shown those of another account. */
  readonly person: string
  /** Tells this tab from others, in which the same form may be open. */
  readonly tab: string
  /** The address of the form. */
  readonly page: string
}

/** `name` is that of its item in the storage. */
export type FoundDraft = Draft & { readonly name: string }

/** The draft of this tab, else the newest one of the same form. Those that are too old are removed. */
export function readDraft(store: DraftStore, place: DraftPlace, now: number): FoundDraft | null {
  const all = keptIn(store)
  const old = all.filter(({ at }) => now - at >= DRAFT_MS)
  for (const { name } of old) store.removeItem(name)
  const found = all.filter(
    (one) => one.person === place.person && one.page === place.page && !old.includes(one),
  )
  const own = found.find(({ name }) => name === nameOf(place))
  return own ?? found.toSorted((a, b) => b.at - a.at).at(0) ?? null
}

/** Nothing typed is no draft. */
export function writeDraft(store: DraftStore, place: DraftPlace, draft: Draft): void {
  const { edits, sections, labels, at } = draft
  const { person, page } = place
  const touched = { ...edits.texts, ...sections.lines, ...sections.links }
  const name = nameOf(place)
  try {
    if (Object.keys(touched).length === 0) return store.removeItem(name)
    const text = JSON.stringify({ person, page, at, edits, sections, labels })
    if (text.length > ONE_MAX) return
    if (store.getItem(name) === null) makeRoom(store, person, at)
    store.setItem(name, text)
  } catch {
    // The storage is full or forbidden: the form works without it.
  }
}

/** Removes what is no draft of this person any more, and the oldest of those that are too many or too long. */
function makeRoom(store: DraftStore, person: string, now: number): void {
  let [count, length] = [0, 0]
  const drafts = keptIn(store).toSorted((a, b) => b.at - a.at)
  const kept = drafts.filter((one) => {
    if (one.person !== person || now - one.at >= DRAFT_MS) return false
    length += one.length
    return ++count < DRAFTS_MAX && length <= ALL_MAX - ONE_MAX
  })
  for (const name of draftNames(store))
    if (!kept.some((one) => one.name === name)) store.removeItem(name)
}

type Kept = FoundDraft & Pick<DraftPlace, 'person' | 'page'> & { readonly length: number }

/** All drafts that the storage holds, without what something else has put there. */
const keptIn = (store: DraftStore): Kept[] =>
  draftNames(store).flatMap((name) => {
    const text = store.getItem(name) ?? ''
    const found = parse(text)
    return isKept(found) ? [{ ...found, name, length: text.length }] : []
  })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const nameOf = ({ tab, page }: DraftPlace): string => `${DRAFT_PREFIX}${tab} ${page}`

function isKept(found: unknown): found is Omit<Kept, 'name' | 'length'> {
  if (!isObject(found) || !isObject(found['edits'])) return false
  const { person, page, at, sections, labels = {} } = found
  const { texts, seen, readings = {} } = found['edits']
  const isPlaced = typeof person === 'string' && typeof page === 'string' && typeof at === 'number'
  const areLabels = [labels, readings].every(
    (all) => isTexts(all) && !Object.values(Object(all)).includes(null),
  )
  return isPlaced && areLabels && isTexts(texts) && isTexts(seen) && isSectionEdits(sections)
}
