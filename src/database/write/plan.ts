/** A unit as plain data, ready to be written, after a check against the accesses. */

import type { EntryDraft } from '../../table/source/ledger-entry.ts'
import type { Part, RowChange, Unit } from '../../table/source/write-unit.ts'
import { render, sql, type Statement } from '../query/sql.ts'
import { cascadesFrom, imagedTable, type Cascade } from './cascades.ts'
import type { ImagedTable } from './images.ts'
import { isAmong } from './keys.ts'
import { alikeTable } from './alike-sets.ts'
import { planRanks, type RankPlan } from './rank-plan.ts'
import { planRow, type RowPlan } from './row-plan.ts'
import { planSet, type SetPlan } from './set-plan.ts'
import { targetOf, writeScope, type Target, type WriteContext, type WriteScope } from './target.ts'

/** Contains no functions, so that it can be sent to the writer thread. */
export type UnitPlan = {
  readonly parts: readonly PartPlan[]
  /** `null` for a unit that is not recorded. */
  readonly entry: EntryDraft | null
  readonly isTrial: boolean
  /** What else the database may write; empty for a unit of which no images are taken. */
  readonly cascades: readonly Cascade[]
}

export type PartPlan = {
  readonly target: Target
  /** Locks the rows of several updates at once; `null` where no deadlock can happen. */
  readonly lock: Statement | null
  readonly rows: readonly RowPlan[]
  readonly sets: readonly SetPlan[]
  readonly ranks: RankPlan | null
  readonly imaged: ImagedTable
  /** The same with only those columns that its sets may change; `null` where that cannot be told. */
  readonly alike: ImagedTable | null
}

/**
 * Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN`, `UPDATE_INVALID` for an invalid value, and
 * `REQUEST_INVALID` for an invalid unit.
 */
export const planUnit = (
  context: WriteContext,
  { parts, entry, isTrial = false }: Unit,
): UnitPlan => ({
  parts: parts.map((part, at) =>
    planPart(context, part, {
      earlier: parts.slice(0, at),
      isAlone: entry !== undefined && !isTrial && parts.length === 1,
    }),
  ),
  ...{ entry: entry ?? null, isTrial },
  cascades:
    entry || isTrial
      ? cascadesFrom(
          parts.map(({ access }) => access.table.name),
          context.catalogue,
        )
      : [],
})

function planPart(
  context: WriteContext,
  { access, rows = [], sets = [], ranks }: Part,
  { earlier, isAlone }: { readonly earlier: readonly Part[]; readonly isAlone: boolean },
): PartPlan {
  const scope = writeScope(context, access)
  const target = targetOf(scope)
  return {
    target,
    lock: lockSql(scope, target, rows),
    rows: rows.map((change) => planRow(scope, target, change, earlier)),
    sets: sets.map((change) => planSet(scope, change)),
    ranks: ranks ? planRanks(scope, ranks) : null,
    imaged: imagedTable(scope.of),
    alike: isAlone && rows.length === 0 && !ranks ? alikeTable(scope, sets) : null,
  }
}

/** In key order, so that two units never deadlock; for keys of one column. */
function lockSql(
  { context }: WriteScope,
  { from, key }: Target,
  rows: readonly RowChange[],
): Statement | null {
  const { dialect } = context
  const [column, ...others] = key
  const keys = rows.flatMap((row) =>
    'insert' in row ? [] : ['update' in row ? row.update : row.delete],
  )
  const canLock = dialect.locksInOrder && rows.some((row) => 'update' in row)
  if (!canLock || !column || others.length > 0 || keys.length < 2) return null
  const locked = sql`${from} where ${isAmong(dialect, key, keys)}`
  return render(
    sql`select 1 from ${locked} order by ${column.sql}${dialect.lockForUpdate}`,
    dialect,
  )
}
