/** What the definition of a table is made from: its schema, its options, and what is hidden of it. */

import type { Column, ForeignKey, Table } from '../source/schema.ts'
import { asDeclared } from './column-facts.ts'
import { inferKind } from './column-kind.ts'
import { type ColumnOptions, type Definitions, own, type TableOptions } from './define-table.ts'
import { linkGuesser } from './guessed-links.ts'
import { splitUnit } from './humanize.ts'
import type { Kind } from './kind.ts'
import type { Kinds } from './kinds.ts'
import { file } from './kinds/file.ts'
import { linkOf, relation } from './kinds/relation.ts'
import { status } from './kinds/status.ts'
import { type SecretReason, secretReason } from './secret-columns.ts'

/** A table with its options and the names of its hidden columns. */
export type Scope = {
  readonly table: Table
  readonly options: TableOptions
  readonly kinds: Kinds
  readonly hidden: ReadonlySet<string>
  /** The columns some of whose values are masked, each with the one that names them. */
  readonly masked: ReadonlyMap<string, string>
  /** References that the schema does not declare, by their columns. */
  readonly guesses: ReadonlyMap<string, ForeignKey>
}

/** What the definition of each table is made from. */
export const scopesOf = (
  tables: readonly Table[],
  declared: Definitions,
  kinds: Kinds,
): readonly Scope[] => {
  const guessLinks = linkGuesser(tables)
  return tables.map((table) => {
    const options = own(declared, table.name) ?? {}
    const hidden = new Set<string>()
    const masked = new Map<string, string>()
    for (const column of table.columns) {
      const reason = hiddenReason(column, table, tables, options)
      if (reason?.by === 'setting') masked.set(column.name, reason.column)
      else if (reason) hidden.add(column.name)
    }
    const known = withoutSamples(table, masked)
    return { table: known, options, kinds, hidden, masked, guesses: guessLinks(known) }
  })
}

/** Nothing is inferred from values of which some are masked. */
const withoutSamples = (table: Table, masked: ReadonlyMap<string, string>): Table =>
  masked.size === 0
    ? table
    : {
        ...table,
        columns: table.columns.map((one) => (masked.has(one.name) ? asDeclared(one) : one)),
      }

/**
 * Why the column is hidden, or masked in some rows: because an option says so, or by default because it
 * looks secret; `undefined` if it is neither.
 */
export function hiddenReason(
  column: Column,
  table: Table,
  tables: readonly Table[],
  { columns }: TableOptions,
): SecretReason | undefined {
  const declared = own(columns, column.name)?.hidden
  if (declared === undefined) return secretReason(column, table, tables)
  return declared ? { by: 'declared' } : undefined
}

export const optionsOf = ({ name }: Column, { options }: Scope): ColumnOptions =>
  own(options.columns, name) ?? {}

/** The options have been checked, so a declared kind exists. */
export function kindIn(column: Column, scope: Scope): Kind {
  const { table, kinds } = scope
  const { kind: declared, storage, values } = optionsOf(column, scope)
  if (storage !== undefined) return file
  if (values !== undefined) return status
  const found = declared === undefined ? undefined : kinds.byName.get(declared)
  if (found) return found
  const inferred = inferKind(column, table, splitUnit(column.name).unit, kinds)
  return scope.guesses.has(column.name) && RAW.has(inferred.name) ? relation : inferred
}

/** Kinds of columns that may hold keys of other rows. */
const RAW: ReadonlySet<string> = new Set(['key', 'number', 'text'])

/** The reference of a column that is declared, or seems to be one. */
export const linkIn = (column: Column, { table, guesses }: Scope): ForeignKey | undefined =>
  linkOf(column, table) ?? guesses.get(column.name)
