/** Filters by yes, no, or neither. */

import { messagesFor } from '../../messages/messages.ts'
import type { YesNo } from '../../protocol/filters.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Column } from '../source/schema.ts'
import { badFilter, type Form, isUnset } from './filter.ts'

const ANSWERS = ['yes', 'no', 'unset'] as const

/** Columns of integers hold 1 and 0. */
export const yesNo = (key: string, { name: column, type }: Column): Form => ({
  parts: ['is'],
  parse(given) {
    if (isUnset(given['is'])) return undefined
    const is = ANSWERS.find((answer) => answer === given['is'])
    if (is === undefined) throw badFilter(key, ({ filter }) => filter.badForm)
    const value: YesNo = { is }
    const asked: Predicate =
      is === 'unset'
        ? { op: 'null', column }
        : { op: 'eq', column, value: type === 'boolean' ? is === 'yes' : is === 'yes' ? 1 : 0 }
    return {
      value,
      predicate: () => asked,
      words({ reader }) {
        const { cell, chip } = messagesFor(reader.language)
        return is === 'unset' ? chip.unset : cell[is]
      },
    }
  },
})
