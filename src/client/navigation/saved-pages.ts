/** Saves unsent edits and calls across a full load, so that a deploy or an expiry loses none. */

import type { PageData } from '../../protocol/page.ts'
import type { Environment } from '../environment.ts'
import { parseSnapshot } from '../parse-snapshot.ts'
import type { Store } from '../store.ts'
import type { Unsent } from '../unsent.ts'
import type { Place } from './place.ts'

export type SavedPage = {
  readonly place: Place | null
  /** What is unsent, by the component's id. */
  readonly unsent: { readonly [id: string]: Unsent }
}

/** By history entry. */
type Pages = { readonly [entry: string]: SavedPage }

/** A page that is shown: after a sign-in, it has another entry. */
type Shown = { readonly entry: string; readonly location: string }

/** `user`: id of the person who had typed it. */
type Saved = { readonly user: string; readonly shown: Shown; readonly pages: Pages }

export type SavedPages = {
  /** What was saved of the page that the document begins with. */
  readonly first: SavedPage | null
  /** What was saved of the page at that history entry; gives it once. */
  take(entry: string): SavedPage | null
  /** Saves these pages, and those that nobody has come back to. */
  save(shown: Shown, pages: Pages): void
  /** Whether edits of pages that nobody has come back to would be lost with the document. */
  hasUnsaved(): boolean
}

/** Reads what the last document of this tab has saved for the same person. */
export function createSavedPages(
  page: PageData,
  { entry, location }: Shown,
  { savedEdits }: Pick<Environment, 'savedEdits'>,
): SavedPages {
  const user = userOf(page)
  // A page without components, such as that for signing in, leaves all for the next one.
  const saved = user === '' ? null : read(savedEdits.take())
  let left: Pages = saved?.user === user ? saved.pages : {}
  function take(id: string): SavedPage | null {
    const { [id]: found = null, ...others } = left
    left = others
    return found
  }
  return {
    first: take(entry) ?? (saved?.shown.location === location ? take(saved.shown.entry) : null),
    take,
    save(shown, pages) {
      if (user === '') return
      const next: Saved = { user, shown, pages: { ...left, ...pages } }
      savedEdits.put(JSON.stringify(next))
    },
    hasUnsaved: () =>
      Object.values(left).some(({ unsent }) =>
        Object.values(unsent).some(({ edits }) => edits.some(([, , loss]) => loss !== 'never')),
      ),
  }
}

/** The page as it is saved: the place, and what is unsent in these stores. */
export const savedPage = (stores: readonly Store[], place: Place | null): SavedPage => ({
  place,
  unsent: Object.fromEntries(
    stores
      .map((store) => [store.id, store.giveUp()] as const)
      .filter(([, { edits, calls }]) => edits.length + calls.length > 0),
  ),
})

/** Puts edits and calls back; returns the stores whose own are to be sent now. */
export function resumePage({ unsent }: SavedPage, stores: readonly Store[]): Store[] {
  return stores.filter((store) => {
    const { edits = [], calls = [] } = unsent[store.id] ?? {}
    for (const [path, value, loss] of edits) store.edit(path, value, loss)
    // The page shows how they end; nobody waits for them any more.
    for (const [method, params] of calls) store.call(method, params).catch(() => undefined)
    return calls.length > 0 || edits.some(([, , loss]) => loss === 'if sending fails')
  })
}

function userOf({ components: [component] }: PageData): string {
  return component ? parseSnapshot(component.snapshot).memo.user : ''
}

/** Reads what `save` wrote in this tab; drops anything else. */
function read(text: string | null): Saved | null {
  if (text === null) return null
  try {
    // Only `save` writes under this name, in the same tab.
    return JSON.parse(text) as Saved
  } catch {
    return null
  }
}
