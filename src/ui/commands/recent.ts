/** What a person opened last from the palette, in this tab alone. */

import { RECENT } from './forget-recent.ts'

export type Recent = {
  readonly label: string
  /** What stands beside the label, such as the record's table. */
  readonly detail: string
  readonly href: string
}

const RECENT_MAX = 6

/** What is kept in this tab for this person; another person has a list of their own. */
export function recentOf(person: string): readonly Recent[] {
  try {
    // Only this file writes it, in this tab.
    const stored = JSON.parse(sessionStorage.getItem(RECENT) ?? 'null') as Stored | null
    return stored?.person === person ? stored.recent : []
  } catch {
    return []
  }
}

/** Puts it first. */
export function remember(person: string, { label, detail, href }: Recent): void {
  const others = recentOf(person).filter((one) => one.href !== href)
  const recent = [{ label, detail, href }, ...others].slice(0, RECENT_MAX)
  try {
    sessionStorage.setItem(RECENT, JSON.stringify({ person, recent } satisfies Stored))
  } catch {
    // The browser allows no storage: then nothing is recent.
  }
}

type Stored = { readonly person: string; readonly recent: readonly Recent[] }
