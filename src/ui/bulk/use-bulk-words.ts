/** The copy of bulk changes and jobs, in the language of the page. */

import { type BulkWords, bulkWordsFor } from '../../messages/bulk/words.ts'
import { usePage } from '../../react/use-component.ts'

export const useBulkWords = (): BulkWords => bulkWordsFor(usePage().language)
