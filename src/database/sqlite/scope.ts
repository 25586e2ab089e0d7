/** What a statement may name: the columns of one table under one alias, for one reader. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/access.ts'
import type { Column } from '../../table/schema.ts'
import { name, sql, type Sql } from '../sql.ts'
import type { Catalogue, SqliteTable } from './tables.ts'

/** Where a statement is made: the tables there are, and whether its scans can be stopped. */
export type Workbench = {
  readonly catalogue: Catalogue
  /** Statements for workers call `alive()` as they scan, so that they can be stopped. */
  readonly isGuarded: boolean
}

/** A table within a statement. */
export type Scope = {
  readonly bench: Workbench
  readonly of: SqliteTable
  /** How deep it is nested; aliases are told apart by it. */
  readonly depth: number
  readonly access: Access
}

/** The table an access is for. Throws `NOT_FOUND` when it has gone. */
export function tableOf(catalogue: Catalogue, access: Access): SqliteTable {
  const table = catalogue.tables.get(access.table.name)
  if (!table) throw new AppError('NOT_FOUND', { detail: `[${access.table.name}] is gone.` })
  return table
}

export const scopeOf = (bench: Workbench, access: Access, depth = 0): Scope => ({
  bench,
  of: tableOf(bench.catalogue, access),
  depth,
  access,
})

/** A column that the actor named. Throws `TABLE_UNKNOWN_COLUMN` where it may not be read. */
export function readableColumn(
  { of, access }: Pick<Scope, 'of' | 'access'>,
  wanted: string,
): Column {
  const column = of.columns.get(wanted)
  if (!column || !access.canRead(wanted)) throw unknownColumn(wanted)
  return column
}

/** A column that the policy named, which the actor need not be able to read. */
export function knownColumn({ of }: Pick<Scope, 'of'>, wanted: string): Column {
  const column = of.columns.get(wanted)
  if (!column) throw unknownColumn(wanted)
  return column
}

export const unknownColumn = (wanted: string): AppError =>
  new AppError('TABLE_UNKNOWN_COLUMN', { detail: `[${wanted}]` })

/** Qualified by the alias: names of other tables in the statement cannot be meant. */
export const columnSql = ({ depth }: Pick<Scope, 'depth'>, column: string): Sql =>
  sql`${aliasSql(depth)}.${name(column)}`

/** The table under its alias. */
export const fromSql = ({ of, depth }: Scope): Sql =>
  sql`${name(of.table.name)} as ${aliasSql(depth)}`

const ALIASES = [sql`t0`, sql`t1`, sql`t2`, sql`t3`, sql`t4`]

/** Relations of relations of relations; nobody means more than that. */
function aliasSql(depth: number): Sql {
  const alias = ALIASES[depth]
  if (!alias)
    throw new AppError('REQUEST_INVALID', { detail: 'The condition is nested too deeply.' })
  return alias
}

/**
 * Stops a scan: asked for every thousandth row, which costs nothing that can be measured. A prime,
 * so that row numbers made by some pattern do not all miss it; tables without row numbers throw dice.
 * It stands before all other conditions, so that none of them keeps it from being asked.
 */
export function guards({ bench, of, depth }: Scope): Sql[] {
  if (!bench.isGuarded || of.table.kind === 'view') return []
  return of.rowid === null
    ? [sql`((random() & 1023) <> 0 or alive())`]
    : [sql`(${columnSql({ depth }, of.rowid)} % 1021 <> 0 or alive())`]
}
