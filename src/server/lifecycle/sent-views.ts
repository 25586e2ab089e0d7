/** Keeps the views that browsers were sent last, so that a refresh can send a patch. */

import { parseJson } from '../../protocol/json.ts'
import { type Patch, patchOf } from '../../protocol/patch.ts'

/** A view as JSON, and its digest. */
type SentView = { readonly digest: string; readonly view: string }

export type SentViews = {
  keep(sent: SentView): void
  /** How to make the view of the one with the digest `before`; `null` where that is not kept, or no shorter. */
  patch(before: string, now: SentView): Patch | null
}

/** Characters of views that are kept: the newest ones. Those that `sharedViews` keeps, too, are the same texts. */
const VIEWS_LENGTH = 8 * 1024 * 1024
/** Patches that are kept: all who saw the same and see the same now are sent the same. */
const PATCHES_MAX = 100

export function sentViews(): SentViews {
  const views = new Map<string, string>()
  const patches = new Map<string, Patch | null>()
  let length = 0

  function forget(digest: string): void {
    length -= views.get(digest)?.length ?? 0
    views.delete(digest)
  }

  return {
    keep({ digest, view }) {
      forget(digest)
      views.set(digest, view)
      length += view.length
      for (const oldest of views.keys()) {
        if (length <= VIEWS_LENGTH) break
        forget(oldest)
      }
    },
    patch(before, { digest, view }) {
      const known = views.get(before)
      if (known === undefined) return null
      const key = JSON.stringify([before, digest])
      const made = patches.get(key)
      if (made !== undefined) return made
      const patch = patchOf(parseJson(known), parseJson(view))
      const short = patch && JSON.stringify(patch).length < view.length ? patch : null
      patches.set(key, short)
      const [oldest] = patches.keys()
      if (oldest !== undefined && patches.size > PATCHES_MAX) patches.delete(oldest)
      return short
    },
  }
}
