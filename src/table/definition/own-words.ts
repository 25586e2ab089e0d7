/** The words of a column’s name without those that only repeat the name of its table. */

import type { Table } from '../source/schema.ts'
import { wordsOf } from './humanize.ts'

/** Plurals that no ending tells. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
])

/** The word without the ending of a plural: `categories` and `category` are one. */
export const stemOf = (word: string): string =>
  IRREGULAR.get(word) ??
  word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/([^s])s$/, '$1')

/** The words of a table's name without plurals, such as `spree` and `order`. */
export const rowWords = ({ name }: Pick<Table, 'name'>): readonly string[] =>
  wordsOf(name).map(stemOf)

/** Fewest columns that show a prefix, and the share of all columns that begin with it. */
const PREFIXED = { columns: 4, share: 0.7 }

const prefixes = new WeakMap<Table, string | undefined>()

/** The word that most columns of the table begin with, such as `customers` or `emp`. */
function prefixOf(table: Table): string | undefined {
  if (!prefixes.has(table)) prefixes.set(table, commonPrefix(table))
  return prefixes.get(table)
}

function commonPrefix({ columns }: Table): string | undefined {
  const words = columns.map(({ name }) => wordsOf(name))
  const firsts = Map.groupBy(words, ([first = '']) => first)
  const [first, found] = [...firsts].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
  const isCommon =
    found !== undefined &&
    found.length >= PREFIXED.columns &&
    found.length >= columns.length * PREFIXED.share
  return isCommon ? first : undefined
}

/**
 * The words without the table's own name or its columns' common prefix before them: both `category_name` of
 * `categories` and `cat_name` beside `cat_id` are `name`.
 */
export function ownWords(column: string, table: Table): readonly string[] {
  const words = wordsOf(column)
  const [first = ''] = words
  const row = rowWords(table)
  const stems = words.map(stemOf)
  let repeated = words.length > 1 && first === prefixOf(table) ? 1 : 0
  for (let start = 0; start < row.length; start++) {
    let length = 0
    while (length + 1 < words.length && stems[length] === row[start + length]) length++
    repeated = Math.max(repeated, length)
  }
  return words.slice(repeated)
}
