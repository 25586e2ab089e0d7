/** A unit as plain data, ready to be written, after a check against the actor's access. */

import type { Access } from '../../table/source/access.ts'
import type { LedgerEntry, RowChange, Unit } from '../../table/source/write-unit.ts'
import { bind, join, name, render, sql, type Statement } from '../query/sql.ts'
import { isAmong } from './keys.ts'
import { planRanks, type RankPlan } from './rank-plan.ts'
import { planRow, type RowPlan } from './row-plan.ts'
import { planSet, type SetPlan } from './set-plan.ts'
import { targetOf, writeScope, type Target, type WriteContext, type WriteScope } from './target.ts'

/** Contains no functions, so that it can be sent to the writer thread. */
export type UnitPlan = {
  readonly target: Target
  readonly ledger: readonly Statement[]
  /** Locks the rows of several updates at once; `null` where no deadlock can happen. */
  readonly lock: Statement | null
  readonly rows: readonly RowPlan[]
  readonly sets: readonly SetPlan[]
  readonly ranks: RankPlan | null
  readonly before: boolean
}

/**
 * Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN`, `UPDATE_INVALID` for an invalid value, and
 * `REQUEST_INVALID` for an invalid unit.
 */
export function planUnit(context: WriteContext, access: Access, unit: Unit): UnitPlan {
  const scope = writeScope(context, access)
  const target = targetOf(scope)
  const { rows = [], sets = [], ranks, before = false, ledger = [] } = unit
  return {
    target,
    ledger: ledger.map((entry) => ledgerSql(scope, entry)),
    lock: lockSql(scope, target, rows),
    rows: rows.map((change) => planRow(scope, target, change, before)),
    sets: sets.map((change) => planSet(scope, change)),
    ranks: ranks ? planRanks(scope, ranks) : null,
    before,
  }
}

/** Only Tablewire's own tables are written without an access; no other table's name begins like this. */
const OWN_TABLE = /^tablewire_\w+$/

function ledgerSql({ context }: WriteScope, { table, values }: LedgerEntry): Statement {
  if (!OWN_TABLE.test(table)) throw new TypeError(`[${table}] is none of Tablewire's own tables.`)
  const columns = join(Object.keys(values).map(name))
  const given = join(Object.values(values).map(bind))
  return render(sql`insert into ${name(table)} (${columns}) values (${given})`, context.dialect)
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
