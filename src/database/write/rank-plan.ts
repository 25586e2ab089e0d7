/** Checks a change of ranks: which rows move to which places of which order. */

import { AppError, type Detail } from '../../server/app-error.ts'
import { everything } from '../../table/source/predicate.ts'
import type { Column, Table } from '../../table/source/schema.ts'
import { CHUNK_KEYS, type Neighbours, type RankChange } from '../../table/source/write-unit.ts'
import type { Operand } from '../dialect.ts'
import { orderTerms, type Term } from '../query/order.ts'
import { readableColumn } from '../query/scope.ts'
import { planned, writableColumn } from './columns.ts'
import { checkKey, keyText } from './keys.ts'
import type { Placed } from './rank-order.ts'
import { checkAction } from './row-plan.ts'
import { chosenBy, type Chosen, type WriteScope } from './target.ts'

export type RankPlan = Chosen & {
  readonly table: string
  readonly column: Operand
  readonly isDescending: boolean
  /** The order: the column, then the key. */
  readonly terms: readonly Term[]
  /** The moved rows, sorted by rank. */
  readonly at: readonly Placed[]
  readonly expected: readonly Neighbours[]
  /** Whether no two rows may share a value. */
  readonly isUnique: boolean
}

/** Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN` and `REQUEST_INVALID`. */
export function planRanks(scope: WriteScope, change: RankChange): RankPlan {
  checkAction(scope, 'update')
  const { table } = scope.of
  const { descending: isDescending = false, expect = [] } = change
  readableColumn(scope, change.column)
  const column = writableColumn(scope, change.column)
  const isNumber = ['integer', 'decimal', 'float'].includes(column.type) && !column.array
  if (!isNumber || table.key.includes(column.name))
    throw invalid(({ rows }) => rows.noRanks(column.name))
  const at = placedRows(table, change.at)
  const moved = new Set(at.map(({ key }) => keyText(key)))
  if (!expect.every(({ key }) => moved.has(keyText(key))))
    throw invalid(({ rows }) => rows.badRanks)
  return {
    ...chosenBy(scope, change.within ?? everything),
    table: table.name,
    column: planned(scope, column),
    isDescending,
    terms: orderTerms(
      { tie: table.key, nullable: (one) => one === column.name && column.nullable },
      [{ column: column.name, descending: isDescending }],
    ),
    at,
    expected: expect,
    isUnique: isUnique(table, column),
  }
}

function placedRows(table: Table, at: RankChange['at']): Placed[] {
  if (at.length > CHUNK_KEYS) throw invalid(({ rows }, number) => rows.manyKeys(number(CHUNK_KEYS)))
  for (const [key] of at) checkKey(table, key)
  const keys = new Set(at.map(([key]) => keyText(key)))
  const ranks = new Set(at.map(([, rank]) => rank))
  const arePlaces = at.every(([, rank]) => Number.isSafeInteger(rank) && rank > 0)
  if (!arePlaces || keys.size < at.length || ranks.size < at.length)
    throw invalid(({ rows }) => rows.badRanks)
  return at.map(([key, rank]) => ({ key, rank })).toSorted((a, b) => a.rank - b.rank)
}

const isUnique = ({ uniques = [], indexes }: Table, { name }: Column): boolean =>
  uniques.some((columns) => columns.includes(name)) ||
  indexes.some(({ unique, columns }) => unique && columns.some((column) => column.name === name))

const invalid = (detail: Detail): AppError => new AppError('REQUEST_INVALID', { detail })
