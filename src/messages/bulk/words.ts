/** Copy of bulk changes and jobs by language. */

import { bulk as en } from './en.ts'

export type BulkWords = typeof en

/** One entry a language: a file of this folder, as `en.ts`. */
const WORDS: { readonly [language: string]: BulkWords } = { en }

/** The copy in a language; in English if there is none in that language. */
export const bulkWordsFor = (language: string): BulkWords => WORDS[language] ?? en
