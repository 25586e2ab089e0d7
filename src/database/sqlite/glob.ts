/** Patterns of GLOB that find a text wherever it stands, in either case of every letter. */

import type { Where } from '../dialect.ts'

/** The pattern for these characters. Default: anywhere in a text. */
export const globOf = (characters: readonly string[], where: Where = 'anywhere'): string =>
  `${where === 'start' ? '' : '*'}${characters.map(classOf).join('')}*`

/** A character that may stand for others is put into brackets, where it stands for itself. */
function classOf(character: string): string {
  const cases = variants().get(folded(character)) ?? [character]
  if (cases.length > 1) return `[${cases.join('')}]`
  return /[*?[]/.test(character) ? `[${character}]` : character
}

/** Whatever stands at a word's end, there is one sigma. */
const folded = (character: string): string => {
  const lower = character.toLowerCase()
  return lower === 'ς' ? 'σ' : lower
}

/** Letters with cases lie before this code point. */
const LAST = 0x1ffff

let known: ReadonlyMap<string, readonly string[]> | undefined

/** The characters that are one letter in several cases, by its small letter; made when first needed. */
function variants(): ReadonlyMap<string, readonly string[]> {
  if (known) return known
  const cased = Array.from({ length: LAST }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Cased}/u.test(character))
  known = Map.groupBy(cased, folded)
  return known
}
