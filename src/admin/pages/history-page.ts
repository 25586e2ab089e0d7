/** The page of all changes. */

import { messagesFor } from '../../messages/messages.ts'
import type { History } from '../../table/history/component.ts'
import type { JobsList } from '../../table/jobs/component.ts'
import { PATHS } from '../addresses.ts'
import { page } from './page.ts'

export const createHistoryPage = (history: History, jobs: JobsList) =>
  page(PATHS.history, {
    name: 'history',
    components: () => ({
      history: history.with({ record: null }),
      jobs: jobs.with({ table: null }),
    }),
    /** The entry whose dialog is open. */
    data: ({ query }) => query.get('undo'),
    title: ({ language }) => messagesFor(language).history.title,
    current: () => 'history',
  })
