/** Whether a column holds nothing: NULL or, where it holds texts, the empty text. */

import { messagesFor } from '../../messages/messages.ts'
import type { Emptiness } from '../../protocol/filters.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Column } from '../source/schema.ts'
import { asBoolean, badFilter, type Form, isUnset } from './filter.ts'

export const emptiness = (key: string, { name: column, type }: Column): Form => ({
  parts: ['empty'],
  parse(given) {
    if (isUnset(given['empty'])) return undefined
    const empty = asBoolean(given['empty'])
    if (empty === undefined) throw badFilter(key, ({ filter }) => filter.badForm)
    const value: Emptiness = { empty }
    const isNull: Predicate = { op: 'null', column }
    const isEmpty: Predicate =
      type === 'text' ? { op: 'or', all: [isNull, { op: 'eq', column, value: '' }] } : isNull
    return {
      value,
      predicate: () => (empty ? isEmpty : { op: 'not', of: isEmpty }),
      words({ reader }) {
        const { chip } = messagesFor(reader.language)
        return empty ? chip.empty : chip.notEmpty
      },
    }
  },
})
