/** How an engine works out new values by what a row holds. */

import type { Amount, Computed } from '../../table/source/computed.ts'
import { suits } from '../../table/source/computed.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Operand } from '../dialect.ts'
import type { Sql } from '../query/sql.ts'

/** `undefined` where the column's own type knows no such thing. Values and names are checked before. */
export type Computes<Its extends Column = Column> = {
  arithmetic(left: Operand<Its>, by: 'add' | 'multiply', amount: Amount): Sql | undefined
  append(left: Operand<Its>, text: string): Sql | undefined
  replace(left: Operand<Its>, from: string, to: string): Sql | undefined
  /** The value of another column, for this one. */
  copy(column: Its, other: Operand<Its>): Sql
  now(column: Its): Sql | undefined
}

/** The new value in SQL; `undefined` if it does not suit the column. */
export function computedSql<Its extends Column>(
  computes: Computes<Its>,
  computed: Computed,
  left: Operand<Its>,
  other: Operand<Its> | undefined,
): Sql | undefined {
  if (!suits(computed, left.column, other?.column)) return undefined
  if ('add' in computed) return computes.arithmetic(left, 'add', computed.add)
  if ('multiply' in computed) return computes.arithmetic(left, 'multiply', computed.multiply)
  if ('append' in computed) return computes.append(left, computed.append)
  if ('replace' in computed) return computes.replace(left, computed.replace, computed.with)
  if ('now' in computed) return computes.now(left.column)
  return other && computes.copy(left.column, other)
}
