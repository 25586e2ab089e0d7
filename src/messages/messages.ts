/** The languages of the copy, and the choice of one for a reader. */

import * as en from './en.ts'

/** Copy of pages. The browser loads it in its own language only. */
export type PageMessages = Omit<typeof en.pages, 'direction'> & {
  readonly direction: 'ltr' | 'rtl'
}

/** Copy that only the server uses. */
export type ServerMessages = typeof en.server

/** All copy in one language. */
export type Messages = PageMessages & ServerMessages

type Language = { readonly pages: PageMessages; readonly server: ServerMessages }

/** One entry a language: a file of this folder that exports `pages` and `server`, as `en.ts`. */
const LANGUAGES: readonly Language[] = [en]

const byLanguage: ReadonlyMap<string, Messages> = new Map(
  LANGUAGES.map(({ pages, server }) => [pages.language, { ...pages, ...server }]),
)

/** The language of logs and terminals, and of readers who prefer none of the others. */
export const DEFAULT_LANGUAGE = 'en'

/** Tags of all languages. */
export const languages: readonly string[] = [...byLanguage.keys()]

/** The copy in a language; in English if there is none in that language. */
export const messagesFor = (language: string): Messages =>
  // English is always among the languages.
  byLanguage.get(language) ?? byLanguage.get(DEFAULT_LANGUAGE)!

/** The first language of `tags` that has copy, such as `de` for `de-AT`; else English. */
export const languageOf = (tags: readonly string[]): string =>
  tags.flatMap(shortened).find((tag) => byLanguage.has(tag)) ?? DEFAULT_LANGUAGE

/** A tag and its shorter forms: `zh-Hant-TW` gives `zh-hant-tw`, `zh-hant` and `zh`. */
function shortened(tag: string): string[] {
  const parts = tag.toLowerCase().split('-')
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-'))
}
