/** How SQLite expresses writes. */

import { AppError } from '../../server/app-error.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { bind, sql, type Sql } from '../query/sql.ts'
import { booleanOf } from '../query/standard.ts'
import type { WriteDialect } from '../write/write-dialect.ts'
import { computes } from './computes.ts'
import { sqliteDialect } from './dialect.ts'
import type { SqliteTable } from './tables.ts'
import { isInt64 } from './values.ts'

export const sqliteWriteDialect: WriteDialect<SqliteTable> = {
  ...sqliteDialect,
  encode,
  computes,
  digest: (value) => sql`value_digest(${value})`,
  decode: ({ type }, value) => (type === 'boolean' ? booleanOf(value) : value),
  // Binary, so that a change of letter case is noticed even in a column that ignores it.
  holds: ({ sql: left }, value) => sql`${left} is ${bind(value)} collate binary`,
  returning: 'all',
  returnsPolicy: false,
  noValues: sql`default values`,
  deletes: (from) => sql`delete from ${from}`,
  cannotReadTarget: false,
  hasStrictIntegers: false,
  // No locks: there is one writer at a time.
  lockForUpdate: sql``,
  lockForShare: sql``,
  readsFirst: false,
  locksInOrder: false,
  needsSavepoints: false,
}

/** Rejects values that SQLite would silently change. */
function encode({ name }: Column, value: Value): Sql {
  if (typeof value === 'string' && !value.isWellFormed())
    throw new AppError('UPDATE_INVALID', { detail: ({ rows }) => rows.halfCharacter(name) })
  const isLost =
    (typeof value === 'bigint' && !isInt64(value)) || (typeof value === 'number' && isNaN(value))
  if (isLost)
    throw new AppError('UPDATE_INVALID', {
      detail: ({ rows }) => rows.noInt64(name, String(value)),
    })
  return bind(value)
}
