/** How PostgreSQL works out new values. */

import type { Operand as OperandOf } from '../dialect.ts'
import { bind, sql, type Sql } from '../query/sql.ts'
import type { Computes } from '../write/computes.ts'
import { castOf } from './dialect.ts'
import type { PostgresColumn } from './tables.ts'

type Operand = OperandOf<PostgresColumn>

const TEXTS = new Set(['text', 'varchar', 'bpchar', 'citext'])
const WHOLE = new Set(['int2', 'int4', 'int8'])

export const computes: Computes<PostgresColumn> = {
  arithmetic(left, by, amount) {
    const { name } = left.column.pg
    const operator = by === 'add' ? sql`+` : sql`*`
    const given = bind(String(amount))
    if (WHOLE.has(name)) return sql`(${left.sql} ${operator} ${given}::int8)`
    if (name.startsWith('float')) return sql`(${left.sql} ${operator} ${given}::float8)`
    if (name === 'numeric') return sql`(${left.sql} ${operator} ${given}::numeric)`
    return name === 'money'
      ? sql`(${left.sql}::numeric ${operator} ${given}::numeric)${castOf(left.column)}`
      : undefined
  },
  append: (left, text) => ofText(left, sql`(${left.sql}::text || ${bind(text)}::text)`),
  replace: (left, from, to) =>
    ofText(left, sql`replace(${left.sql}::text, ${bind(from)}::text, ${bind(to)}::text)`),
  copy: (column, other) =>
    column.pg.cast === other.column.pg.cast ? other.sql : sql`${other.sql}::text${castOf(column)}`,
  now: (column) =>
    column.zoned ? sql`now()${castOf(column)}` : sql`(now() at time zone 'UTC')${castOf(column)}`,
}

/** Other types are shown as texts, and hold something else. */
const ofText = ({ column: { pg } }: Operand, value: Sql): Sql | undefined =>
  pg.kind === 'base' && TEXTS.has(pg.name) ? value : undefined
