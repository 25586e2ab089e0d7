/** The page of all changes. */

import { messagesFor } from '../../messages/messages.ts'
import type { History } from '../../table/history/component.ts'
import { PATHS } from '../addresses.ts'
import { page } from './page.ts'

export const createHistoryPage = (history: History) =>
  page(PATHS.history, {
    name: 'history',
    components: () => ({ history: history.with({ record: null }) }),
    /** The entry whose dialog is open. */
    data: ({ query }) => query.get('undo'),
    title: ({ language }) => messagesFor(language).history.title,
    current: () => 'history',
  })
