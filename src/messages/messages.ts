/** The languages there are, and which one somebody reads. */

import * as en from './en.ts'

/** What pages say; the browser loads these of its own language only. */
export type PageMessages = Omit<typeof en.pages, 'direction'> & {
  readonly direction: 'ltr' | 'rtl'
}

/** What only the server says. */
export type ServerMessages = typeof en.server

/** Everything that is said in one language. */
export type Messages = PageMessages & ServerMessages

type Language = { readonly pages: PageMessages; readonly server: ServerMessages }

/** One line a language: a file of this folder that exports `pages` and `server` as English does. */
const LANGUAGES: readonly Language[] = [en]

const catalogues: ReadonlyMap<string, Messages> = new Map(
  LANGUAGES.map(({ pages, server }) => [pages.language, { ...pages, ...server }]),
)

/** What is read by whoever reads none of the others, and in logs and terminals. */
export const DEFAULT_LANGUAGE = 'en'

/** Tags of all the languages there are. */
export const languages: readonly string[] = [...catalogues.keys()]

/** The catalogue of a language that there is; of any other the one in English. */
export const messagesFor = (language: string): Messages =>
  catalogues.get(language) ?? catalogues.get(DEFAULT_LANGUAGE)!

/** The language of the first tag that there is one for, such as `de` for `de-AT`; else English. */
export const languageOf = (tags: readonly string[]): string =>
  tags.flatMap(shortened).find((tag) => catalogues.has(tag)) ?? DEFAULT_LANGUAGE

/** `zh-Hant-TW` is looked for as `zh-hant-tw`, `zh-hant` and `zh`. */
function shortened(tag: string): string[] {
  const parts = tag.toLowerCase().split('-')
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-'))
}
