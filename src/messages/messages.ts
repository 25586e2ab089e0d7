/** Which language there is a catalogue for, and how one is found. */

import { en } from './en.ts'

/** What a catalogue holds. Another language is one more file of this type. */
export type Messages = typeof en

const catalogues: { readonly [language: string]: Messages } = { en }

/** The catalogue of a language tag such as `en-GB`; English where there is none. */
export function messagesFor(tag: string): Messages {
  const [language = ''] = tag.split('-')
  return Object.hasOwn(catalogues, language) ? (catalogues[language] ?? en) : en
}
