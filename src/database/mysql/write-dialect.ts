/** How MySQL and MariaDB express writes. */

import { AppError } from '../../server/app-error.ts'
import type { Value } from '../../table/source/value.ts'
import type { Values } from '../../table/source/write-unit.ts'
import { equals } from '../query/predicate-sql.ts'
import { bind, sql } from '../query/sql.ts'
import type { WriteDialect, WrittenKey } from '../write/write-dialect.ts'
import { computes } from './computes.ts'
import { mysqlDialect } from './dialect.ts'
import { encode } from './encode.ts'
import { decoderOf } from './query-runner.ts'
import type { Flavour } from './flavour.ts'
import type { MysqlTable } from './tables.ts'

/** How long a unit waits for the lock on ranks, s. */
const RANK_LOCK_S = 5

export const writeDialectOf = ({ isMariaDb }: Flavour): WriteDialect<MysqlTable> => ({
  ...mysqlDialect,
  encode,
  computes,
  digest: (value) => sql`sha2(${value}, 256)`,
  decode: (column, value) => decoderOf(column)?.(value) ?? value,
  holds: (left, value) => equals(mysqlDialect, left, value),
  returning: isMariaDb ? 'inserts' : 'none',
  returnsPolicy: false,
  ...(!isMariaDb && { insertedKey }),
  noValues: sql`() values ()`,
  // Only the multi-table form of `delete` allows an alias.
  deletes: (from) => sql`delete t0 from ${from}`,
  cannotReadTarget: true,
  isStrictInteger: () => true,
  lockForUpdate: sql` for update`,
  lockForShare: sql` lock in share mode`,
  // They are told to whoever may make some, and a column may hold when its row was updated.
  tellsTriggers: false,
  readsFirst: true,
  locksInOrder: false,
  needsSavepoints: false,
  rankLock: (table) => {
    const name = sql`sha2(concat(database(), ${bind(` tablewire ranks ${table}`)}), 256)`
    return {
      acquire: sql`select get_lock(${name}, ${bind(RANK_LOCK_S)})`,
      release: sql`select release_lock(${name})`,
    }
  },
})

/** MySQL reports no generated value except an `auto_increment` number. */
function insertedKey({ table, columns }: MysqlTable, given: Values): WrittenKey {
  const values: Value[] = table.key.map((column) => given[column] ?? null)
  const place = values.indexOf(null)
  const [column = ''] = table.key.slice(place)
  if (place < 0) return { from: 'values', values }
  if (columns.get(column)?.identity === true && values.lastIndexOf(null) === place)
    return { from: 'count', values, place }
  throw new AppError('UPDATE_INVALID', { detail: ({ mysql }) => mysql.keyWanted(column) })
}
