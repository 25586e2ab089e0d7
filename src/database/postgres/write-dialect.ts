/** How PostgreSQL expresses writes. */

import type { Value } from '../../table/source/value.ts'
import { all, bind, join, name, sql, type Sql } from '../query/sql.ts'
import type { EachColumn, EachRow } from '../write/each-values.ts'
import type { WriteDialect } from '../write/write-dialect.ts'
import { computes } from './computes.ts'
import { castOf, dialectOf, expectsSql } from './dialect.ts'
import { encode } from './encode.ts'
import type { PostgresCatalogue, PostgresColumn, PostgresTable } from './tables.ts'
import { arrayText } from './values.ts'

export const writeDialectOf = (catalogue: PostgresCatalogue): WriteDialect<PostgresTable> => ({
  ...dialectOf(catalogue),
  encode: encodeSql,
  computes,
  // Compatible servers know no other function by the same name.
  digest: (value) => sql`md5(${value})`,
  holds: expectsSql,
  updateEach,
  returning: 'all',
  returnsPolicy: true,
  noValues: sql`default values`,
  deletes: (from) => sql`delete from ${from}`,
  cannotReadTarget: false,
  isStrictInteger: () => true,
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

/** Columns of the values that rows are joined with. */
const joined = (at: number): Sql => name(`v${at}`)

/** The range of the keys lets the server find the rows without looking for each. */
function updateEach(rows: EachRow<PostgresColumn>): readonly Sql[] {
  const { from, key, keys, columns, among, guard } = rows
  const given = [
    ...key.map(({ column }, part) => ({ column, values: keys.map((one) => one[part] ?? null) })),
    ...columns,
  ]
  const lists = given.map(({ column, values }) => {
    const texts = values.map((value) => textOf(encode(column, value)))
    return sql`${bind(arrayText(texts))}::text[]`
  })
  const valueOf = ({ column }: EachColumn<PostgresColumn>, at: number): Sql =>
    sql`tablewire_values.${joined(at)}${castOf(column)}`
  const set = columns.map(
    (one, at) => sql`${name(one.column.name)} = ${valueOf(one, key.length + at)}`,
  )
  const same = key.map(
    ({ sql: own, column }, at) => sql`${own} = ${valueOf({ column, values: [] }, at)}`,
  )
  return [
    sql`update ${from} set ${join(set)} from unnest(${join(lists)})
      as tablewire_values(${join(given.map((_, at) => joined(at)))})
      where ${all([...same, among, ...guard])}`,
  ]
}

const textOf = (value: Value = null): string | Uint8Array | null =>
  value === null || value instanceof Uint8Array ? value : String(value)
