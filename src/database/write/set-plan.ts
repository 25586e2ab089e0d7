/** Checks a change to many rows: what is set, and in which rows of the chunk. */

import { AppError } from '../../server/app-error.ts'
import { CHUNK_KEYS, type SetChange } from '../../table/source/write-unit.ts'
import type { KeyValues } from '../../table/source/value.ts'
import type { Operand } from '../dialect.ts'
import { checkKey } from '../query/keys.ts'
import { readableColumn } from '../query/scope.ts'
import { type EachColumn, eachOf } from './each-values.ts'
import { assignmentsOf, type Assignment, type InvalidColumns, planned } from './columns.ts'
import { checkAction } from './row-plan.ts'
import { chosenBy, type Chosen, type WriteScope } from './target.ts'

export type SetPlan = Chosen & {
  readonly keys: readonly KeyValues[]
  /** The new values; `null` to delete the rows. */
  readonly set: readonly Assignment[] | null
  /** Columns with a value of its own for each key; none where all rows get the same. */
  readonly each: readonly EachColumn[]
  /** How many rows must match; `null` for any number. */
  readonly expected: number | null
  /** How many rows of the whole table must match before; `null` for any number. */
  readonly inAll: number | null
  /** What they must hold; `null` for anything. */
  readonly holding: Holding | null
  readonly invalid: InvalidColumns
}

/** For each key the digest of what the columns hold. */
export type Holding = {
  readonly columns: readonly Operand[]
  readonly digests: readonly number[]
}

/** Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN`, `UPDATE_INVALID` and `REQUEST_INVALID`. */
export function planSet(scope: WriteScope, change: SetChange): SetPlan {
  const { table } = scope.of
  if (change.in.length > CHUNK_KEYS)
    throw new AppError('REQUEST_INVALID', {
      detail: ({ rows }, number) => rows.manyKeys(number(CHUNK_KEYS)),
    })
  for (const key of change.in) checkKey(table, key)
  // Each row by itself, so that none is written by the key of another.
  if (table.isKeyDeclared) throw new AppError('REQUEST_INVALID')
  const rows = {
    ...chosenBy(scope, change.where, 'delete' in change ? 'delete' : 'update'),
    keys: change.in,
    expected: change.expect?.matched ?? null,
    inAll: change.expect?.inAll ?? null,
    holding: holdingOf(scope, change),
  }
  if ('delete' in change) {
    checkAction(scope, 'delete')
    return { ...rows, set: null, each: [], invalid: null }
  }
  checkAction(scope, 'update')
  const set = 'set' in change ? change.set : change.each
  const keyColumn = table.key.find((column) => column in set)
  if (keyColumn !== undefined)
    throw new AppError('REQUEST_INVALID', { detail: ({ rows: copy }) => copy.keyForAll(keyColumn) })
  if (Object.keys(set).length === 0) throw new AppError('REQUEST_INVALID')
  if ('each' in change) return { ...rows, set: [], ...eachOf(scope, change.in, change.each) }
  const { list, invalid } = assignmentsOf(scope, scope.context.dialect, change.set)
  return { ...rows, set: list, each: [], invalid }
}

function holdingOf(scope: WriteScope, { in: keys, expect }: SetChange): Holding | null {
  if (!expect?.holding) return null
  const { columns, digests } = expect.holding
  if (digests.length !== keys.length) throw new AppError('REQUEST_INVALID')
  return { columns: columns.map((one) => planned(scope, readableColumn(scope, one))), digests }
}
