/** The copy of the page of one's own account, which the server sends with it, and its forms. */

import { createContext, use } from 'react'
import type { ServerMessages } from '../../messages/messages.ts'
import type { YouView } from '../../protocol/you-view.ts'
import type { SecondWords } from '../second/second-words.ts'

/** As templates: the first script has no room for them. */
export type YouWords = { readonly [name in keyof ServerMessages['you']['words']]: string }

export type You = {
  readonly view: YouView
  readonly words: YouWords
  readonly second: SecondWords
}

export const YouContext = createContext<You | null>(null)

export function useYou(): You {
  const you = use(YouContext)
  if (!you) throw new Error('No account. Wrap the tree in <YouContext value={…}>.')
  return you
}
