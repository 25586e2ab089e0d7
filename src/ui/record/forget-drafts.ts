/** Forgets the drafts of forms, as signing out does, in all tabs. */

/** How the names of drafts begin in the browser's storage. */
export const DRAFT_PREFIX = 'tablewire-draft '
/** Where the storage says when somebody has signed out, so that forms in other tabs keep none. */
export const SIGNED_OUT = 'tablewire-signed-out'

type Forgettable = Pick<Storage, 'setItem' | 'removeItem' | 'key' | 'length'>

export function forgetDrafts(store: Forgettable, now: number): void {
  // First, so that nothing is written behind it.
  store.setItem(SIGNED_OUT, `${now}`)
  for (const name of draftNames(store)) store.removeItem(name)
}

/** The names of all drafts. */
export const draftNames = (store: Pick<Storage, 'key' | 'length'>): string[] =>
  Array.from({ length: store.length }, (_, at) => store.key(at) ?? '').filter((name) =>
    name.startsWith(DRAFT_PREFIX),
  )
