/** Definitions by reader: nothing is inferred from values of rows or columns that are hidden from them. */

import { type Grant, grantsAllRows } from '../source/access.ts'
import type { Column, Table } from '../source/schema.ts'
import { asDeclared } from './column-facts.ts'
import type { Definitions, TableOptions } from './define-table.ts'
import { inferTable } from './infer.ts'
import { labelColumnsOf } from './label-column.ts'
import { type Scope, scopesOf } from './scope.ts'
import type { Kinds } from './kinds.ts'
import type { TableDefinition } from './table-definition.ts'

/** What a policy grants a reader of a table. */
export type Grants = (table: Table) => Grant

export type ReaderDefinitions = {
  /** Every table, for whoever may see all of it. */
  readonly whole: ReadonlyMap<string, TableDefinition>
  /** The table as this reader may know it; `undefined` where there is none. */
  of(name: string, grants: Grants): TableDefinition | undefined
  /** The same with other options of one table, which hide the same of it. */
  with(name: string, options: TableOptions): ReaderDefinitions
}

/** A table of which only this may be known, and what names its rows then. */
type Known = {
  readonly id: string
  readonly scope: Scope
  readonly label: readonly string[]
  /** The definition made last, and what was known of the tables that it links to. */
  latest?: { readonly linked: readonly Known[]; readonly definition: TableDefinition }
}

/** There are as many definitions of a table as the policy has different grants that matter to it. */
export const createReaderDefinitions = (
  tables: readonly Table[],
  declared: Definitions,
  kinds: Kinds,
): ReaderDefinitions =>
  definitionsOf(
    new Map(scopesOf(tables, declared, kinds).map((scope) => [scope.table.name, scope])),
  )

/** The definitions before one table was given other options. */
type Before = Pick<ReaderDefinitions, 'whole'> & { readonly changed: string }

function definitionsOf(scopes: ReadonlyMap<string, Scope>, before?: Before): ReaderDefinitions {
  /** By table and what a reader may know of it. */
  const known = new Map<string, Known>()
  const made = new Map<string, TableDefinition>()

  /** By grant: most policies give the same one each time, and every page asks for all tables. */
  const knownByGrant = new Map<string, WeakMap<Grant, Known>>()
  const linkedNames = new Map(
    [...scopes].map(([name, { table, guesses }]) => {
      const links = [...table.foreignKeys, ...guesses.values()]
      return [name, [...new Set([name, ...links.map((link) => link.table)])]]
    }),
  )

  function knownOf(name: string, grants: Grants | undefined): Known | undefined {
    const scope = scopes.get(name)
    if (!scope) return undefined
    const grant = grants?.(scope.table)
    if (!grant) return knownBy(scope, undefined)
    const byGrant = knownByGrant.get(name) ?? new WeakMap<Grant, Known>()
    knownByGrant.set(name, byGrant)
    const found = byGrant.get(grant) ?? knownBy(scope, grant)
    byGrant.set(grant, found)
    return found
  }

  function knownBy(scope: Scope, grant: Grant | undefined): Known {
    const told = toldOf(scope.table, grant)
    const { name } = scope.table
    const id = JSON.stringify([name, ...(told ? [told.isCounted, ...told.columns] : [])])
    return remembered(known, id, () => {
      const narrow = told ? { ...scope, table: knownTable(scope.table, told) } : scope
      return { id, scope: narrow, label: labelColumnsOf(narrow) }
    })
  }

  function definitionOf(name: string, grants: Grants | undefined): TableDefinition | undefined {
    const own = knownOf(name, grants)
    if (!own) return undefined
    const linked = (linkedNames.get(name) ?? []).flatMap((one) => knownOf(one, grants) ?? [])
    const { latest } = own
    if (latest?.linked.every((one, at) => one === linked[at])) return latest.definition
    // Of other tables, nothing but what names their rows has a part in this definition.
    const labels = new Map(linked.map(({ scope, label }) => [scope.table.name, label]))
    const id = JSON.stringify([own.id, ...labels.values()])
    const definition = remembered(made, id, () => inferTable(own.scope, labels))
    own.latest = { linked, definition }
    return definition
  }

  const isAsBefore = (name: string) => !linkedNames.get(name)?.includes(before?.changed ?? name)
  const whole = new Map(
    [...scopes.keys()].flatMap((name) => {
      const known = isAsBefore(name) ? before?.whole.get(name) : undefined
      const definition = known ?? definitionOf(name, undefined)
      return definition ? [[name, definition] as const] : []
    }),
  )
  return {
    whole,
    of: definitionOf,
    with(name, options) {
      const scope = scopes.get(name)
      const changed = scope ? [[name, { ...scope, options }] as const] : []
      return definitionsOf(new Map([...scopes, ...changed]), { whole, changed: name })
    },
  }
}

function remembered<T>(values: Map<string, T>, id: string, make: () => T): T {
  const found = values.get(id)
  if (found !== undefined) return found
  const value = make()
  values.set(id, value)
  return value
}

/** What a reader may know of a table's rows: whether how many there are, and values of which columns. */
type Told = { readonly isCounted: boolean; readonly columns: ReadonlySet<string> }

/**
 * What this reader may know; `undefined` where it is all that is known. A reader who is granted some
 * rows only is told nothing that all rows had a part in.
 */
function toldOf({ columns }: Table, grant: Grant | undefined): Told | undefined {
  if (!grant) return undefined
  if (!grant.actions.includes('read') || !grantsAllRows(grant)) return NOTHING
  const readable = new Set(grant.readable)
  const telling = columns.filter(tellsOfRows).map(({ name }) => name)
  if (telling.every((name) => readable.has(name))) return undefined
  return { isCounted: true, columns: new Set(telling.filter((name) => readable.has(name))) }
}

const NOTHING: Told = { isCounted: false, columns: new Set() }

const tellsOfRows = ({ sample, sampled, distinct, typeByDeclaration }: Column): boolean =>
  [sample, sampled, distinct, typeByDeclaration].some((told) => told !== undefined)

const knownTable = (table: Table, told: Told): Table => ({
  ...table,
  estimate: told.isCounted ? table.estimate : null,
  columns: table.columns.map((column) =>
    told.columns.has(column.name) ? column : asDeclared(column),
  ),
})
