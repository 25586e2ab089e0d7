/** Copy of the upload widget by language. */

import { upload as en } from './en.ts'

export type UploadWords = typeof en

/** One entry a language: a file of this folder, as `en.ts`. */
const WORDS: { readonly [language: string]: UploadWords } = { en }

/** The copy in a language; in English if there is none in that language. */
export const uploadWordsFor = (language: string): UploadWords => WORDS[language] ?? en
