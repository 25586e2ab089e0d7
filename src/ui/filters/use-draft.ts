/** What a person has typed into a filter but not sent; answers about other filters do not change it. */

import { useState } from 'react'

type Kept<Draft> = { readonly of: string; readonly draft: Draft; readonly isUnsent: boolean }

export type Editing<Draft> = {
  readonly draft: Draft
  /** Whether it was changed since it was last sent. */
  readonly isUnsent: boolean
  /** The person changed it. */
  edit(draft: Draft): void
  /** It was sent, or taken back: the next value of the filter replaces it. */
  settle(): void
}

/** The draft of a filter; `read` makes one of its value, and again when another value arrives. */
export function useDraft<Draft>(value: unknown, read: () => Draft): Editing<Draft> {
  const of = JSON.stringify(value ?? null)
  const fresh = (): Kept<Draft> => ({ of, draft: read(), isUnsent: false })
  const [kept, keep] = useState(fresh)
  const current = kept.of === of ? kept : kept.isUnsent ? { ...kept, of } : fresh()
  if (current !== kept) keep(current)
  return {
    draft: current.draft,
    isUnsent: current.isUnsent,
    edit: (draft) => keep({ of, draft, isUnsent: true }),
    settle: () => keep((now) => ({ ...now, isUnsent: false })),
  }
}
