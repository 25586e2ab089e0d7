/** The copy of the page of people, which the server sends with it. */

import { createContext, use } from 'react'
import type { PeopleWords } from '../../protocol/people-view.ts'

export const PeopleWordsContext = createContext<PeopleWords | null>(null)

export function usePeopleWords(): PeopleWords {
  const words = use(PeopleWordsContext)
  if (!words) throw new Error('No words. Wrap the tree in <PeopleWordsContext value={…}>.')
  return words
}
