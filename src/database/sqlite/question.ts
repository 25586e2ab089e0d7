/** Questions to SQLite: what is asked, and what decides on which thread it is answered. */

import type { Access } from '../../table/access.ts'
import type { Predicate } from '../../table/predicate.ts'
import type { Statement } from '../sql.ts'
import { isLocal, relatedAccesses } from './predicate-sql.ts'
import { tableOf } from './scope.ts'
import type { Catalogue, SqliteTable } from './tables.ts'

export type Question = {
  readonly table: SqliteTable
  readonly statements: readonly Statement[]
  /** The same with guards, for another thread. */
  guarded(): readonly Statement[]
  /** Rows wanted of all statements together; then each one's last bind is its limit. */
  readonly limit: number | null
  /** Whether an index answers. */
  isServed(): boolean
  /** Whether it takes long even from an index. */
  readonly isLong: boolean
  /** Whether it looks at its table's short values alone, so that a small table makes it short. */
  readonly isLocal: boolean
  /** Whether a view takes part, whose scan no guard can stop. */
  readonly hasView: boolean
}

/** What a condition and its policy say about where a question can be answered. */
export function reachOf(
  catalogue: Catalogue,
  access: Access,
  where: Predicate,
): Pick<Question, 'table' | 'isLocal' | 'hasView'> {
  const predicate: Predicate = { op: 'and', all: [access.grant.rows, where] }
  const table = tableOf(catalogue, access)
  const others = relatedAccesses(predicate).map((other) => tableOf(catalogue, other))
  return { table, isLocal: isLocal(predicate), hasView: [table, ...others].some(isView) }
}

const isView = ({ table }: SqliteTable): boolean => table.kind === 'view'
