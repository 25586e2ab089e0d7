/** The messages in the page's language. */

import { createContext, useContext } from 'react'
import type { PageMessages } from '../../messages/messages.ts'

/** Holds the messages in the page's language; `App` provides them. */
export const MessagesContext = createContext<PageMessages | null>(null)

/** The messages in the page's language. Throws outside an `App`. */
export function useMessages(): PageMessages {
  const messages = useContext(MessagesContext)
  if (!messages) throw new Error('No messages. Wrap the tree in <App messages={…}>.')
  return messages
}
