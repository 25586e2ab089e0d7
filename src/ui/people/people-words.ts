/** The copy of the page of people, which the server sends with it. */

import { createContext, use } from 'react'
import type { ServerMessages } from '../../messages/messages.ts'

/** As templates: the first script has no room for them. */
export type PeopleWords = { readonly [name in keyof ServerMessages['directory']['words']]: string }

export const PeopleWordsContext = createContext<PeopleWords | null>(null)

export function usePeopleWords(): PeopleWords {
  const words = use(PeopleWordsContext)
  if (!words) throw new Error('No words. Wrap the tree in <PeopleWordsContext value={…}>.')
  return words
}
