/** What a person types into a search, as terms that a row has to hold, each in any column. */

import { momentIn, numbersIn, type ShownMoment } from './shown-values.ts'

export type Term = {
  /** As it was typed, without quotes. */
  readonly text: string
  /** The words or the phrase that it consists of: several only where they are one value together. */
  readonly words: readonly string[]
  /** The numbers that the whole of it may mean, in plain digits. */
  readonly numbers: readonly string[]
  /** The day or the moment that the whole of it means. */
  readonly moment?: ShownMoment
}

/** A longer text is searched as it stands, as one phrase: each term costs a look into every column. */
export const TERMS_MAX = 10

/** Most words that one value is shown with, as `Nov 12, 2026, 2:30 PM UTC`. */
const VALUE_WORDS_MAX = 6

/** A phrase in quotes, of which the last may still be typed; else a word. */
const PARTS = /"(?<phrase>[^"]+)(?:"(?=\s|$)|$)|(?:\S|(?<=\d)[\u00a0\u202f](?=\d))+/g

type Part = { readonly text: string; readonly isPhrase: boolean }

/** `locale`: how the reader is shown numbers and days. */
export function termsOf(search: string, locale: string): Term[] {
  const parts = [...search.matchAll(PARTS)].flatMap(({ 0: whole, groups }): Part[] => {
    const text = (groups?.['phrase'] ?? whole).trim()
    return text === '' ? [] : [{ text, isPhrase: groups?.['phrase'] !== undefined }]
  })
  if (parts.length > TERMS_MAX) return [termOf([search.trim()], locale)]
  const terms: Term[] = []
  for (let at = 0; at < parts.length;) {
    const term = valueAt(parts, at, locale) ?? termOf([parts[at]?.text ?? ''], locale)
    terms.push(term)
    at += term.words.length
  }
  return terms
}

/** The words of a value, as terms of their own; none for a word or a phrase. */
export const partsOf = ({ words }: Term, locale: string): Term[] =>
  words.length === 1 ? [] : words.map((word) => termOf([word], locale))

/** The longest run of words from a place on that is shown as one value, such as `12 Nov 2026`. */
function valueAt(parts: readonly Part[], start: number, locale: string): Term | undefined {
  const phrase = parts.findIndex(({ isPhrase }, at) => at >= start && isPhrase)
  const end = Math.min(phrase < 0 ? parts.length : phrase, start + VALUE_WORDS_MAX)
  for (let to = end; to > start + 1; to--) {
    const words = parts.slice(start, to).map(({ text }) => text)
    const term = termOf(words, locale)
    if (term.moment || term.numbers.length > 0) return term
  }
  return undefined
}

function termOf(words: readonly string[], locale: string): Term {
  const text = words.join(' ')
  const moment = momentIn(text, locale)
  return { text, words, numbers: numbersIn(text, locale), ...(moment && { moment }) }
}
