/** What a statement may name: the columns of one table under one alias, for one reader. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Dialect, Operand } from '../dialect.ts'
import { name, sql, type Sql } from './sql.ts'
import type { Catalogue, SourceTable } from '../tables.ts'

/** Where a statement is made: the tables there are, and the words to say it in. */
export type SqlContext<Of extends SourceTable = SourceTable> = {
  readonly catalogue: Catalogue<Of>
  readonly dialect: Dialect<Of>
}

/** A table within a statement. */
export type Scope<Of extends SourceTable = SourceTable> = {
  readonly bench: SqlContext<Of>
  readonly of: Of
  /** How deep it is nested; aliases are told apart by it. */
  readonly depth: number
  readonly access: Access
}

/** The table an access is for. Throws `NOT_FOUND` when it has gone. */
export function tableOf<Of extends SourceTable>(catalogue: Catalogue<Of>, access: Access): Of {
  const table = catalogue.tables.get(access.table.name)
  if (!table)
    throw new AppError('NOT_FOUND', { detail: ({ rows }) => rows.tableGone(access.table.name) })
  return table
}

export const scopeOf = <Of extends SourceTable>(
  bench: SqlContext<Of>,
  access: Access,
  depth = 0,
): Scope<Of> => ({
  bench,
  of: tableOf(bench.catalogue, access),
  depth,
  access,
})

type Named<Its extends Column> = { readonly of: SourceTable<Its> }

/** A column that the actor named. Throws `TABLE_UNKNOWN_COLUMN` where it may not be read. */
export function readableColumn<Its extends Column>(
  { of, access }: Named<Its> & Pick<Scope, 'access'>,
  wanted: string,
): Its {
  const column = of.columns.get(wanted)
  if (!column || !access.canRead(wanted)) throw unknownColumn(wanted)
  return column
}

/** A column that the policy named, which the actor need not be able to read. */
export function knownColumn<Its extends Column>({ of }: Named<Its>, wanted: string): Its {
  const column = of.columns.get(wanted)
  if (!column) throw unknownColumn(wanted)
  return column
}

export const unknownColumn = (wanted: string): AppError =>
  new AppError('TABLE_UNKNOWN_COLUMN', { detail: ({ rows }) => rows.column(wanted) })

/** Qualified by the alias: names of other tables in the statement cannot be meant. */
export const columnSql = ({ depth }: Pick<Scope, 'depth'>, column: string): Sql =>
  sql`${aliasSql(depth)}.${name(column)}`

/** A column of the table with all that is known of it. */
export const operand = <Its extends Column>(
  scope: Pick<Scope, 'depth'>,
  column: Its,
): Operand<Its> => ({
  sql: columnSql(scope, column.name),
  column,
})

/** The table under its alias. */
export const fromSql = ({ of, depth }: Scope): Sql => sql`${of.from} as ${aliasSql(depth)}`

const ALIASES = [sql`t0`, sql`t1`, sql`t2`, sql`t3`, sql`t4`]

/** Relations of relations of relations; nobody means more than that. */
function aliasSql(depth: number): Sql {
  const alias = ALIASES[depth]
  if (!alias) throw new AppError('REQUEST_INVALID', { detail: ({ rows }) => rows.deepCondition })
  return alias
}

/** What lets a scan of the table be stopped, where the engine needs a condition for that. */
export const guards = ({ bench, of, depth }: Scope): Sql[] =>
  bench.dialect.guards?.(of, aliasSql(depth)) ?? []
