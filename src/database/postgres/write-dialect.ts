/** How PostgreSQL expresses writes. */

import type { Value } from '../../table/source/value.ts'
import { bind, sql, type Sql } from '../query/sql.ts'
import type { WriteDialect } from '../write/write-dialect.ts'
import { computes } from './computes.ts'
import { castOf, dialectOf, expectsSql } from './dialect.ts'
import { encode } from './encode.ts'
import type { PostgresCatalogue, PostgresColumn, PostgresTable } from './tables.ts'

export const writeDialectOf = (catalogue: PostgresCatalogue): WriteDialect<PostgresTable> => ({
  ...dialectOf(catalogue),
  encode: encodeSql,
  computes,
  // Compatible servers know no other function by the same name.
  digest: (value) => sql`md5(${value})`,
  holds: expectsSql,
  returning: 'all',
  returnsPolicy: true,
  noValues: sql`default values`,
  deletes: (from) => sql`delete from ${from}`,
  cannotReadTarget: false,
  hasStrictIntegers: true,
  lockForUpdate: sql` for update`,
  endDeferral: { text: 'set constraints all immediate', binds: [] },
  // Rows counted after the write are already locked by it.
  lockForShare: sql``,
  tellsTriggers: true,
  readsFirst: false,
  locksInOrder: true,
  needsSavepoints: true,
  rankLock: (table) => ({
    acquire: sql`select 1 from pg_advisory_xact_lock(hashtextextended(${bind(`tablewire ranks ${table}`)}, 0))`,
  }),
})

function encodeSql(column: PostgresColumn, value: Value): Sql | undefined {
  const given = encode(column, value)
  return given === undefined ? undefined : sql`${bind(given)}${castOf(column)}`
}
