/** Filters by a test of a text: what it contains, how it starts, what it equals, and the negations. */

import { messagesFor } from '../../messages/messages.ts'
import { SEARCH_MAX } from '../../protocol/constants.ts'
import { TEXT_TESTS, type TextFilter } from '../../protocol/filters.ts'
import type { Predicate } from '../source/predicate.ts'
import { asBoolean, badFilter, type Form, isUnset } from './filter.ts'

export const textTest = (key: string, column: string): Form => ({
  parts: ['test', 'text', 'not'],
  parse(given) {
    const { text } = given
    if (isUnset(text)) return undefined
    const test = TEXT_TESTS.find((name) => name === (given['test'] ?? 'contains'))
    const not = isUnset(given['not']) ? false : asBoolean(given['not'])
    if (typeof text !== 'string' || test === undefined || not === undefined)
      throw badFilter(key, ({ filter }) => filter.badForm)
    if (text.length > SEARCH_MAX)
      throw badFilter(key, ({ filter }, number) => filter.longText(number(SEARCH_MAX)))
    const value: TextFilter = { test, text, ...(not && { not: true as const }) }
    const asked: Predicate =
      test === 'equals' ? { op: 'eq', column, value: text } : { op: test, column, text }
    return {
      value,
      predicate: () => (not ? { op: 'not', of: asked } : asked),
      words: ({ reader }) => messagesFor(reader.language).chip.text[not ? 'not' : 'is'][test](text),
    }
  },
})
