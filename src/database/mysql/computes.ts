/** How MySQL and MariaDB work out new values. */

import type { Amount } from '../../table/source/computed.ts'
import type { Operand as OperandOf } from '../dialect.ts'
import { bind, sql, whole, type Sql } from '../query/sql.ts'
import type { Computes } from '../write/computes.ts'
import { asChar } from './dialect.ts'
import type { MysqlColumn } from './tables.ts'

type Operand = OperandOf<MysqlColumn>

export const computes: Computes<MysqlColumn> = {
  arithmetic(left, by, amount) {
    const given = amountSql(left, amount)
    if (!given) return undefined
    return by === 'add' ? sql`(${left.sql} + ${given})` : sql`(${left.sql} * ${given})`
  },
  append: (left, text) => ofText(left, sql`concat(${left.sql}, ${asChar(bind(text))})`),
  replace: (left, from, to) =>
    ofText(left, sql`replace(${left.sql}, ${asChar(bind(from))}, ${asChar(bind(to))})`),
  copy: (_, other) => other.sql,
  now({ kind }) {
    if (kind.is === 'date') return sql`utc_date()`
    if (kind.is === 'time') return sql`utc_time(${whole(kind.digits)})`
    // The connection's own time zone is UTC.
    return kind.is === 'datetime' ? sql`utc_timestamp(${whole(kind.digits)})` : undefined
  },
}

const ofText = ({ column: { kind } }: Operand, value: Sql): Sql | undefined =>
  kind.is === 'text' ? value : undefined

/** Most digits of a decimal. */
const MOST_DIGITS = 65

/** Exact: as a double a long number would lose digits, and as a whole one a longer one would become another. */
function amountSql({ column: { kind } }: Operand, amount: Amount): Sql | undefined {
  switch (kind.is) {
    case 'whole':
    case 'decimal': {
      const [digits = '', fraction = ''] = String(amount).replace(/^[+-]/, '').split('.')
      const scale = fraction.length
      const precision = Math.max(1, digits.length + scale)
      if (precision > MOST_DIGITS) return undefined
      return sql`cast(${bind(String(amount))} as decimal(${whole(precision)}, ${whole(scale)}))`
    }
    case 'single':
    case 'double':
      return bind(Number(amount))
    default:
      return undefined
  }
}
