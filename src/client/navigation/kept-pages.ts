/** The pages that are kept for the back and forward buttons, by history entry (spec §2, §9). */

import { BACK_CACHE_PAGES } from '../../protocol/constants.ts'
import type { PageComponent, PageData } from '../../protocol/page.ts'
import type { Part } from '../part.ts'
import type { Place } from './place.ts'

/** A page that was opened: its components live on while another page is shown. */
export type Visit = {
  /** Tells one visit from the next. */
  readonly key: string
  page: PageData
  /** Path and query when it was last shown. */
  href: string
  /** Its components by id, without the shell. */
  readonly parts: Map<string, Part>
  /** The history entry whose state the components are in: they may have moved on within the page. */
  at: string
  /** The address that an answer asked for while another page was shown. */
  movedTo: string | null
  /** What `useKept` keeps. */
  readonly kept: Map<string, unknown>
}

export type Entry = {
  readonly visit: Visit
  /** The components as they were at this entry; `null` while they are. */
  components: readonly PageComponent[] | null
  place: Place | null
}

export type KeptPages = {
  get(id: string): Entry | undefined
  /** Ids and entries, the one that is shown last. */
  all(): readonly (readonly [id: string, entry: Entry])[]
  /** All visits, the one that is shown included. */
  visits(): Set<Visit>
  /** A new entry follows `current`; what the forward button led to is gone. */
  push(id: string, entry: Entry): void
  /** The person went to this entry. */
  enter(id: string, entry: Entry): void
  /** Drops all pages except the one that is shown. */
  clear(): void
}

/** Holds the entry that is shown, and the last 10 before it. `drop` ends a visit that nothing leads to. */
export function createKeptPages(
  first: [id: string, entry: Entry],
  drop: (visit: Visit) => void,
): KeptPages {
  /** The entry shown last comes last. */
  const entries = new Map<string, Entry>([first])
  /** Ids in the order of the browser's history, as far as it is known. */
  let trail = [first[0]]
  let [current] = first

  const visits = () => new Set([...entries.values()].map(({ visit }) => visit))

  function remove(ids: readonly string[]): void {
    const before = visits()
    for (const id of ids) entries.delete(id)
    const after = visits()
    for (const visit of before) if (!after.has(visit)) drop(visit)
  }

  function show(id: string, entry: Entry): void {
    current = id
    entries.delete(id)
    entries.set(id, entry)
    const others = [...entries].filter(([other]) => other !== id)
    if (others.length <= BACK_CACHE_PAGES) return
    // Rather drop a page on which nothing was typed.
    const [oldest] = others.find(([, { visit }]) => !hasUnsaved(visit)) ?? others[0]!
    remove([oldest])
  }

  return {
    get: (id) => entries.get(id),
    all: () => [...entries],
    visits,
    push(id, entry) {
      const at = trail.indexOf(current)
      const gone = trail.slice(at + 1)
      trail = [...trail.slice(0, at + 1), id]
      show(id, entry)
      remove(gone)
    },
    enter(id, entry) {
      // An entry of an earlier document comes before those of this one.
      if (!trail.includes(id)) trail = [id, ...trail]
      show(id, entry)
    },
    clear: () => remove([...entries.keys()].filter((id) => id !== current)),
  }
}

/** Whether something was typed on the page that has neither been sent nor is sent by itself. */
export const hasUnsaved = ({ parts }: Visit): boolean =>
  [...parts.values()].some((part) => part.isUnsaved())
