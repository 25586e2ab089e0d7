/** Forgets what the browser keeps for a person, once they sign out. */

import { forgetRecent } from '../commands/forget-recent.ts'
import { forgetDrafts } from '../record/forget-drafts.ts'
import { SIGN_OUT_ID } from './person-menu.tsx'

/** Returns the cleanup. Signing out is a form, or a link of the host: each begins with a click. */
export function forgetOnSignOut(): () => void {
  const forget = ({ target }: Event) => {
    if (!(target instanceof Element) || !target.closest(`#${SIGN_OUT_ID}`)) return
    forgetRecent()
    try {
      forgetDrafts(localStorage, Date.now())
    } catch {
      // There is no storage, so there is nothing to forget.
    }
  }
  document.addEventListener('click', forget)
  return () => document.removeEventListener('click', forget)
}
