/** Filters by a list of values, or excludes them: choices, related rows, pasted lists, values of cells. */

import { messagesFor } from '../../messages/messages.ts'
import { NULL_TEXT, ONE_OF_MAX, type OneOf } from '../../protocol/filters.ts'
import { clip } from '../address-error.ts'
import { decodeValue } from '../row-key.ts'
import type { Predicate, Referred } from '../source/predicate.ts'
import type { Column } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import { filterParam } from './address.ts'
import { badFilter, type Form, isUnset, type Wording } from './filter.ts'

/** Values that a chip names; of the others it tells how many there are. */
const NAMED = 3

/** Puts some values into words. */
export type ValueWords = (
  values: readonly Value[],
  wording: Wording,
) => readonly string[] | Promise<readonly string[]>

/** `as` is the column to which this one refers. */
export const oneOf = (key: string, column: Column, wordsOf: ValueWords, as?: Referred): Form => ({
  parts: ['in', 'notIn'],
  lists: ['in', 'notIn'],
  parse(given) {
    const [wanted, left] = [listIn(given['in']), listIn(given['notIn'])]
    if (isUnset(wanted) && isUnset(left)) return undefined
    if (!isUnset(wanted) && !isUnset(left)) throw badFilter(key, ({ filter }) => filter.badForm)
    const isIn = isUnset(left)
    const texts = textsOf(key, isIn ? wanted : left)
    const values = texts.map((text) => valueOf(key, column, text))
    const [only = null] = values
    const named = { column: column.name, ...(as && { as }) }
    // One value is an equality, which indexes serve best.
    const asked: Predicate =
      values.length === 1 ? { op: 'eq', ...named, value: only } : { op: 'in', ...named, values }
    const value: OneOf = isIn ? { in: texts } : { notIn: texts }
    return {
      value,
      predicate: () => (isIn ? asked : { op: 'not', of: asked }),
      async words(wording) {
        const { chip, cell } = messagesFor(wording.reader.language)
        const first = values.slice(0, NAMED)
        const found = await wordsOf(
          first.filter((one) => one !== null),
          wording,
        )
        const words = found.values()
        const texts = first.map((one) =>
          one === null ? cell.null : (words.next().value ?? String(one)) || cell.empty,
        )
        const all = chip.list(texts, values.length - first.length)
        return isIn ? all : chip.notIn(all)
      },
    }
  },
})

/** An empty list asks for nothing. */
const listIn = (part: unknown): unknown =>
  Array.isArray(part) && part.length === 0 ? undefined : part

/** Each value once, in the order in which they came. */
function textsOf(key: string, given: unknown): (string | null)[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const texts = new Set<string | null>()
  for (const one of list) {
    if (one !== null && typeof one !== 'string')
      throw badFilter(key, ({ filter }) => filter.badForm)
    texts.add(one === NULL_TEXT ? null : one)
  }
  if (texts.size > ONE_OF_MAX)
    throw badFilter(key, ({ filter }, number) => filter.manyValues(number(ONE_OF_MAX)))
  return [...texts]
}

function valueOf(key: string, column: Column, text: string | null): Value {
  const value = text === null ? null : decodeValue(text, column)
  if (value !== undefined) return value
  throw badFilter(key, ({ address }) => {
    const noValue = address.noValue(clip(column.name), clip(text ?? ''))
    if (!text?.includes(',')) return noValue
    return `${noValue} ${address.severalValues(clip(`${filterParam(key)}.in`))}`
  })
}
