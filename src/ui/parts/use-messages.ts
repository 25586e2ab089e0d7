/** The copy in the language of the page. */

import { type Messages, messagesFor } from '../../messages/messages.ts'
import { usePage } from '../../react/use-component.ts'

/** The catalogue of the page's language. */
export const useMessages = (): Messages => messagesFor(usePage().language)
