/** Keeps what is typed into a form as a draft, and finds the one that was left there before. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isNothing } from './after-save.ts'
import { type DraftStore, type FoundDraft, readDraft, type Typed, writeDraft } from './drafts.ts'
import { NO_EDITS } from './edits.ts'
import { fitting } from './fitting.ts'
import { SIGNED_OUT } from './forget-drafts.ts'
import type { FormPort } from './form-port.ts'
import { NO_SECTIONS } from './section-edits.ts'

export type DraftsState = {
  /** What was left here before; `null` once something is typed. */
  readonly draft: FoundDraft | null
  keep(typed: Typed): void
  /** Forgets the draft that was left here. */
  forget(): void
}

/** `isHydrated`: only then the browser's storage is looked at, as the server has none. */
export function useDrafts({ view, place }: FormPort, isHydrated: boolean): DraftsState {
  const { draftsOf: person } = view
  const [openedAt] = useState(() => Date.now())
  const [isSettled, setSettled] = useState(false)
  const isSignedOut = useSignedOut()
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  const found = useMemo(() => {
    const store = isHydrated && !isSettled ? storage() : null
    return store && readDraft(store, { person, page: place, tab: tab() }, openedAt)
  }, [isHydrated, isSettled, person, place, openedAt])
  const draft = useMemo(() => {
    if (!found) return null
    const fits = fitting(view, found)
    return isNothing(fits) ? null : { ...found, ...fits }
  }, [found, view])
  const keep = useCallback(
    (typed: Typed) => {
      setSettled(true)
      const store = isSignedOut.current ? null : storage()
      const place_ = { person, page: place, tab: tab() }
      if (store) writeDraft(store, place_, { ...fitting(latest.current, typed), at: Date.now() })
    },
    [isSignedOut, person, place],
  )
  const forget = () => {
    keep({ edits: NO_EDITS, sections: NO_SECTIONS })
    if (found) storage()?.removeItem(found.name)
  }
  return { draft, keep, forget }
}

/** Whether the person has signed out in another tab since the form was opened: then no drafts are kept. */
function useSignedOut() {
  const isSignedOut = useRef(false)
  useEffect(() => {
    const listen = ({ key }: StorageEvent) => {
      if (key === SIGNED_OUT) isSignedOut.current = true
    }
    addEventListener('storage', listen)
    return () => removeEventListener('storage', listen)
  }, [])
  return isSignedOut
}

/** `null` where the browser allows none. */
function storage(): DraftStore | null {
  try {
    return localStorage
  } catch {
    return null
  }
}

/** A name of this tab, which outlives its documents. */
function tab(): string {
  try {
    const name = sessionStorage.getItem(TAB) ?? Math.random().toString(36).slice(2)
    sessionStorage.setItem(TAB, name)
    return name
  } catch {
    return ''
  }
}

const TAB = 'tablewire-tab'
