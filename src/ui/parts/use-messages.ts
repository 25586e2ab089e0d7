/** The copy in the language of the page. */

import { createContext, useContext } from 'react'
import type { PageMessages } from '../../messages/messages.ts'

/** Holds the catalogue of the page's language; `App` provides it. */
export const MessagesContext = createContext<PageMessages | null>(null)

/** The catalogue of the page's language. Throws outside an `App`. */
export function useMessages(): PageMessages {
  const messages = useContext(MessagesContext)
  if (!messages) throw new Error('No messages. Wrap the tree in <App messages={…}>.')
  return messages
}
