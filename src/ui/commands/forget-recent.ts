/** Forgets what the person opened last, as signing out does. */

/** Where the tab keeps it. */
export const RECENT = 'tablewire-recent'

export function forgetRecent(): void {
  try {
    sessionStorage.removeItem(RECENT)
  } catch {
    // There is no storage, so there is nothing to forget.
  }
}
