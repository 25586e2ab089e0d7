/** How SQLite expresses writes. */

import { compareNumbers } from '../../protocol/numbers.ts'
import { AppError } from '../../server/app-error.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import { all, bind, join, name, sql, type Sql } from '../query/sql.ts'
import { booleanOf } from '../query/standard.ts'
import { inBatches } from '../write/keys.ts'
import type { EachRow } from '../write/each-values.ts'
import type { WriteDialect } from '../write/write-dialect.ts'
import { computes } from './computes.ts'
import { sqliteDialect } from './dialect.ts'
import type { SqliteColumn, SqliteTable } from './tables.ts'
import { isUntyped } from './value-type.ts'
import { isInt64 } from './values.ts'

export const sqliteWriteDialect: WriteDialect<SqliteTable> = {
  ...sqliteDialect,
  encode,
  computes,
  digest: (value) => sql`value_digest(${value})`,
  decode: ({ type }, value) => (type === 'boolean' ? booleanOf(value) : value),
  updateEach,
  // Binary, so that a change of letter case is noticed even in a column that ignores it.
  holds: ({ sql: left }, value) => sql`${left} is ${bind(value)} collate binary`,
  returning: 'all',
  returnsPolicy: false,
  noValues: sql`default values`,
  deletes: (from) => sql`delete from ${from}`,
  cannotAliasViews: true,
  cannotReadTarget: false,
  isStrictInteger: ({ isRowNumber }: SqliteColumn) => isRowNumber === true,
  // No locks: there is one writer at a time.
  lockForUpdate: sql``,
  lockForShare: sql``,
  tellsTriggers: true,
  readsFirst: false,
  locksInOrder: false,
  needsSavepoints: false,
}

/** The value in SQL; `undefined` for one that SQLite would silently change. Throws `UPDATE_INVALID` for what it cannot hold at all. */
function encode({ name, type, declared }: Column, value: Value): Sql | undefined {
  if (typeof value === 'string' && !value.isWellFormed())
    throw new AppError('UPDATE_INVALID', { detail: ({ rows }) => rows.halfCharacter(name) })
  if (isRounded(type, value)) return undefined
  const isLost = (typeof value === 'bigint' && !isInt64(value)) || Number.isNaN(value)
  // Whatever is declared, SQLite has numbers of 64 bits with a sign.
  if (isLost && /unsigned/i.test(declared)) return undefined
  if (isLost)
    throw new AppError('UPDATE_INVALID', {
      detail: ({ rows }) => rows.noInt64(name, String(value)),
    })
  return bind(value)
}

/** Whether a column of numbers would hold a double in place of the digits. */
function isRounded(type: Column['type'], value: Value): boolean {
  if (type === 'float' && Number.isNaN(value)) return true
  if (!NUMBERS.has(type) || typeof value !== 'string') return false
  return /^[+-]?\d+(\.\d+)?$/.test(value) && compareNumbers(String(Number(value)), value) !== 0
}

const NUMBERS: ReadonlySet<Column['type']> = new Set(['decimal', 'float', 'integer'])

/** Values that one statement binds: SQLite takes 32,766 of them. */
const MOST_BINDS = 30_000

/** SQLite finds each row by its key; where it converts no values, a key may be written in another way. */
function updateEach({ from, key, keys, columns, guard }: EachRow): readonly Sql[] | undefined {
  const isWrittenOneWay = ({ type, declared }: Column): boolean =>
    type === 'integer' || (type === 'text' && !isUntyped(declared))
  if (!key.every(({ column }) => isWrittenOneWay(column))) return undefined
  const valueOf = (place: number): Sql => sql`v.${name(`column${place + 1}`)}`
  const set = columns.map(
    ({ column }, at) => sql`${name(column.name)} = ${valueOf(key.length + at)}`,
  )
  const same = key.map(({ sql: own }, at) => sql`${own} = ${valueOf(at)}`)
  const places = keys.map((_, at) => at)
  return inBatches(places, Math.floor(MOST_BINDS / (key.length + columns.length))).map((some) => {
    const rows = some.map((at) => {
      const values = columns.map(({ column, values }) => encode(column, values[at] ?? null))
      return sql`(${join([...(keys[at] ?? []).map(bind), ...values.map((one) => one ?? bind(null))])})`
    })
    return sql`update ${from} set ${join(set)} from (values ${join(rows)}) as v
      where ${all([...same, ...guard])}`
  })
}
