/** What a statement may name: the columns of one table under one alias, for one actor. */

import { AppError } from '../../server/app-error.ts'
import type { Access } from '../../table/source/access.ts'
import type { RowLabel } from '../../table/source/row-source.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Dialect, Operand } from '../dialect.ts'
import { refused } from '../failure.ts'
import { withKnownTypes } from './known-types.ts'
import { name, sql, whole, type Sql } from './sql.ts'
import type { Catalogue, SourceTable } from '../tables.ts'

/** What a statement is rendered with: the tables and the dialect. */
export type SqlContext<Of extends SourceTable = SourceTable> = {
  readonly catalogue: Catalogue<Of>
  readonly dialect: Dialect<Of>
}

/** The labels of the rows that a column refers to, as a further column. */
export type LabelColumn = RowLabel & {
  readonly name: string
  /** The column that refers to the rows. */
  readonly column: string
}

/** A table within a statement. */
export type Scope<Of extends SourceTable = SourceTable> = {
  readonly context: SqlContext<Of>
  readonly of: Of
  /** How deep it is nested; the alias depends on it. */
  readonly depth: number
  readonly access: Access
  /** Labels that count as columns of the table. Default: none. */
  readonly labels?: readonly LabelColumn[]
  /** Its place among the labels, if only a label of it is read. */
  readonly label?: number
}

/** What tells a table's alias, and those of its labels. */
type Aliased = Pick<Scope, 'depth' | 'labels' | 'label'>

/** The table of an access. Throws `NOT_FOUND` if it no longer exists, `DATABASE_REFUSED` if it cannot be read. */
export function tableOf<Of extends SourceTable>(catalogue: Catalogue<Of>, access: Access): Of {
  const table = catalogue.tables.get(access.table.name)
  if (!table)
    throw new AppError('NOT_FOUND', { detail: ({ rows }) => rows.tableGone(access.table.name) })
  if (table.table.refused !== undefined) throw refused(table.table.refused)
  return withKnownTypes(table, access.table)
}

export const scopeOf = <Of extends SourceTable>(
  context: SqlContext<Of>,
  access: Access,
  depth = 0,
): Scope<Of> => ({
  context,
  of: tableOf(context.catalogue, access),
  depth,
  access,
})

type Named<Its extends Column> = { readonly of: SourceTable<Its> }

/** A column that the actor named. Throws `TABLE_UNKNOWN_COLUMN` if the actor may not read it. */
export function readableColumn<Its extends Column>(
  { of, access }: Named<Its> & Pick<Scope, 'access'>,
  wanted: string,
): Its {
  const column = of.columns.get(wanted)
  if (!column || !access.canRead(wanted)) throw unknownColumn(wanted)
  return column
}

/** A column that the actor asks to be shown. Throws `TABLE_UNKNOWN_COLUMN` if it may not be. */
export function shownColumn<Its extends Column>(
  { of, access }: Named<Its> & Pick<Scope, 'access'>,
  wanted: string,
): Its {
  const column = of.columns.get(wanted)
  if (!column || !access.canShow(wanted)) throw unknownColumn(wanted)
  return column
}

/** A column by whose value the actor finds rows. Throws `TABLE_UNKNOWN_COLUMN` if they may not. */
export function findingColumn<Its extends Column>(
  { of, access }: Named<Its> & Pick<Scope, 'access'>,
  wanted: string,
): Its {
  const column = of.columns.get(wanted)
  if (!column || !access.canFindBy(wanted)) throw unknownColumn(wanted)
  return column
}

/** A column that the policy named, even if the actor may not read it. */
export function knownColumn<Its extends Column>({ of }: Named<Its>, wanted: string): Its {
  const column = of.columns.get(wanted)
  if (!column) throw unknownColumn(wanted)
  return column
}

export const unknownColumn = (wanted: string): AppError =>
  new AppError('TABLE_UNKNOWN_COLUMN', { detail: ({ rows }) => rows.column(wanted) })

/** Qualified by the alias, so that it cannot mean a column of another table. */
export function columnSql(scope: Aliased, column: string): Sql {
  const { labels } = scope
  const at = labels ? labels.findIndex((one) => one.name === column) : -1
  const label = labels?.[at]
  return label
    ? sql`${labelAlias(at)}.${name(label.label)}`
    : sql`${aliasOf(scope)}.${name(column)}`
}

/** A column of the table as SQL, with its description. */
export const operand = <Its extends Column>(scope: Aliased, column: Its): Operand<Its> => ({
  sql: columnSql(scope, column.name),
  column,
})

/** The table under its alias. */
export const fromSql = (scope: Scope): Sql => sql`${scope.of.from} as ${aliasOf(scope)}`

export const aliased = (from: Sql, depth: number): Sql => sql`${from} as ${aliasSql(depth)}`

const aliasOf = ({ depth, label }: Aliased): Sql =>
  label === undefined ? aliasSql(depth) : labelAlias(label)

const labelAlias = (place: number): Sql => sql`l${whole(place)}`

const ALIASES = [sql`t0`, sql`t1`, sql`t2`, sql`t3`, sql`t4`]

/** Conditions may nest relations four deep. */
function aliasSql(depth: number): Sql {
  const alias = ALIASES[depth]
  if (!alias) throw new AppError('REQUEST_INVALID', { detail: ({ rows }) => rows.deepCondition })
  return alias
}

/** The conditions through which a scan can be cancelled, where the engine needs them. */
export const guards = ({ context, of, depth }: Scope): Sql[] =>
  context.dialect.guards?.(of, aliasSql(depth)) ?? []
