/** How MySQL and MariaDB express writes. */

import { AppError } from '../../server/app-error.ts'
import type { Value } from '../../table/source/value.ts'
import type { Values } from '../../table/source/write-unit.ts'
import { equals } from '../query/predicate-sql.ts'
import { bind, sql } from '../query/sql.ts'
import type { WriteDialect, WrittenKey } from '../write/write-dialect.ts'
import { mysqlDialect } from './dialect.ts'
import { encode } from './encode.ts'
import { finisherOf } from './query-runner.ts'
import type { Flavour } from './flavour.ts'
import type { MysqlTable } from './tables.ts'

/** How long a unit waits for its turn, s. */
const TURN_S = 5

export const writeDialectOf = ({ isMariaDb }: Flavour): WriteDialect<MysqlTable> => ({
  ...mysqlDialect,
  encode,
  decode: (column, value) => finisherOf(column)?.(value) ?? value,
  holds: (left, value) => equals(mysqlDialect, left, value),
  returning: isMariaDb ? 'inserts' : 'none',
  returnsPolicy: false,
  ...(!isMariaDb && { insertedKey }),
  noValues: sql`() values ()`,
  // An alias is understood only by this form, which could name several tables.
  deletes: (from) => sql`delete t0 from ${from}`,
  isBlindToTarget: true,
  hasStrictIntegers: true,
  hold: sql` for update`,
  share: sql` lock in share mode`,
  looksFirst: true,
  locksInOrder: false,
  needsSavepoints: false,
  turn: (table) => {
    const turn = sql`sha2(concat(database(), ${bind(` tablewire ranks ${table}`)}), 256)`
    return {
      take: sql`select get_lock(${turn}, ${bind(TURN_S)})`,
      leave: sql`select release_lock(${turn})`,
    }
  },
})

/** MySQL tells of no value of its own but a number that it counted up. */
function insertedKey({ table, columns }: MysqlTable, given: Values): WrittenKey {
  const values: Value[] = table.key.map((column) => given[column] ?? null)
  const place = values.indexOf(null)
  const [column = ''] = table.key.slice(place)
  if (place < 0) return { from: 'values', values }
  if (columns.get(column)?.identity === true && values.lastIndexOf(null) === place)
    return { from: 'count', values, place }
  throw new AppError('UPDATE_INVALID', { detail: ({ mysql }) => mysql.keyWanted(column) })
}
