/** Which filter a column can have, by the type of its values. */

import type { Column, ValueType } from '../source/schema.ts'
import type { ColumnFilter } from './kind.ts'

/** Filters of columns by the type of their values, where their kind names none. */
const BY_TYPE: Readonly<Record<ValueType, ColumnFilter>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'date',
  time: 'choice',
  json: 'none',
  binary: 'none',
}

/** A column of another type than its kind's filter needs has the filter of its type. */
const FITTING: { readonly [filter in ColumnFilter]?: readonly ValueType[] } = {
  date: ['date', 'datetime'],
  boolean: ['boolean', 'integer'],
}

/** Whether a column of this type can have the filter. */
export const suits = (filter: ColumnFilter, { type, array }: Column): boolean =>
  !array && type !== 'binary' && type !== 'json' && FITTING[filter]?.includes(type) !== false

/** The filter of a column whose kind names none. */
export const filterByType = ({ type, typeByDeclaration, allowed }: Column): ColumnFilter => {
  if (allowed) return 'choice'
  // Texts that a sample has shown to be JSON are texts all the same.
  return BY_TYPE[type === 'json' && typeByDeclaration === 'text' ? 'text' : type]
}
