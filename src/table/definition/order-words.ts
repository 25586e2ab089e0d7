/** The words for an order by a column. */

import type { Messages } from '../../messages/messages.ts'
import type { Column, ValueType } from '../source/schema.ts'
import type { OrderWords } from './kind.ts'
import { kindOf } from './kinds.ts'
import type { ColumnDefinition } from './table-definition.ts'

/** By the type of the values; `null` for types without a meaningful order. */
const BY_TYPE: Readonly<Record<ValueType, OrderWords | null>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'date',
  time: 'time',
  json: null,
  binary: null,
}

/** Such as “smallest first”; `undefined` if rows cannot be ordered by the column. */
export function orderWords(
  definition: ColumnDefinition,
  { type, isListed = false }: Column,
  direction: 'ascending' | 'descending',
  copy: Messages['order'],
): string | undefined {
  const ofType = isListed ? 'listed' : BY_TYPE[type]
  if (!definition.sortable || ofType === null) return undefined
  const words = kindOf(definition).order ?? ofType
  return typeof words === 'string' ? copy[direction][words] : words[direction]
}
