/** Checks a change of ranks: which rows move to which places of which order. */

import { AppError, type Detail } from '../../server/app-error.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import { type Column, type Table, uniqueSets } from '../../table/source/schema.ts'
import { CHUNK_KEYS, type Neighbours, type RankChange } from '../../table/source/write-unit.ts'
import type { Operand } from '../dialect.ts'
import { checkKey } from '../query/keys.ts'
import { orderTerms, type Term } from '../query/order.ts'
import { readableColumn } from '../query/scope.ts'
import { planned, writableColumn } from './columns.ts'
import { keyText } from './keys.ts'
import type { Placed } from './rank-order.ts'
import { checkAction } from './row-plan.ts'
import { chosenBy, type Chosen, type WriteScope } from './target.ts'

export type RankPlan = Chosen & {
  readonly table: string
  readonly column: Operand
  readonly isDescending: boolean
  /** The order: the column, then the key, unless the column decides alone. */
  readonly terms: readonly Term[]
  /** The moved rows, sorted by rank. */
  readonly at: readonly Placed[]
  readonly isSpacedOut: boolean
  readonly expected: readonly Neighbours[]
  /** Whether no two rows of the order may share a value. */
  readonly isUnique: boolean
  /** Whether rows outside the order may not hold the same value, either. */
  readonly isUniqueBeyond: boolean
}

/** Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN` and `REQUEST_INVALID`. */
export function planRanks(scope: WriteScope, change: RankChange): RankPlan {
  checkAction(scope, 'update')
  const { table } = scope.of
  const { descending: isDescending = false, expect = [] } = change
  readableColumn(scope, change.column)
  const column = writableColumn(scope, change.column)
  const isNumber = ['integer', 'decimal', 'float'].includes(column.type) && !column.array
  if (!isNumber || table.key.includes(column.name) || table.isKeyDeclared)
    throw invalid(({ rows }) => rows.noRanks(column.name))
  const at = placedRows(table, change.at)
  const { isSpacedOut = false } = change
  if (isSpacedOut && at.length > 0) throw invalid(({ rows }) => rows.badRanks)
  const fixed = fixedColumns(change.within ?? everything)
  // Rows outside the order then differ from all in it in one of these columns.
  const isWhole = scope.access.seesAllRows && hasOnlyFixed(change.within ?? everything)
  const terms = orderTerms(
    { tie: table.key, nullable: (one) => one === column.name && column.nullable },
    [{ column: column.name, descending: isDescending }],
  )
  const moved = new Set(at.map(({ key }) => keyText(key)))
  if (!expect.every(({ key }) => moved.has(keyText(key))))
    throw invalid(({ rows }) => rows.badRanks)
  for (const { previous, next, from } of expect)
    for (const key of [previous, next, from?.previous, from?.next]) if (key) checkKey(table, key)
  return {
    ...chosenBy(scope, change.within ?? everything),
    table: table.name,
    column: planned(scope, column),
    isDescending,
    terms: scope.context.dialect.decidingTerms?.(scope.of, { terms, equal: fixed }) ?? terms,
    at,
    isSpacedOut,
    expected: expect,
    isUnique: setsWith(table, column).length > 0,
    isUniqueBeyond: setsWith(table, column).some(
      (names) => !isWhole || !fixed.every((one) => names.includes(one)),
    ),
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

/** The sets of columns that are unique and hold this one, which is none of the key. */
const setsWith = (table: Table, { name }: Column): (readonly string[])[] =>
  uniqueSets(table).flatMap(({ columns }) => (columns.includes(name) ? [columns] : []))

/** Columns of which all rows that match hold one value. */
function fixedColumns(within: Predicate): string[] {
  if (within.op === 'and') return within.all.flatMap(fixedColumns)
  if (within.op === 'eq') return [within.column]
  return within.op === 'in' && within.values.length === 1 ? [within.column] : []
}

/** Whether the condition says nothing but which values those columns hold. */
const hasOnlyFixed = (within: Predicate): boolean =>
  within.op === 'and' ? within.all.every(hasOnlyFixed) : fixedColumns(within).length > 0

const invalid = (detail: Detail): AppError => new AppError('REQUEST_INVALID', { detail })
