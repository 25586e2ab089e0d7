/** The table that a unit writes, as part of its plan. */

import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { Operand } from '../dialect.ts'
import { uniqueSets } from '../../table/source/schema.ts'
import { relatedAccesses } from '../../table/source/related-tables.ts'
import { changeConditions, conditions, policyConditions } from '../query/predicate-sql.ts'
import { fromSql, knownColumn, scopeOf, type Scope, type SqlContext } from '../query/scope.ts'
import type { Access, ChangeAction } from '../../table/source/access.ts'
import type { Sql } from '../query/sql.ts'
import { planned } from './columns.ts'
import type { WriteDialect } from './write-dialect.ts'

/** What a unit is planned with. */
export type WriteContext = SqlContext & { readonly dialect: WriteDialect }

export type WriteScope = Scope & { readonly context: WriteContext }

export const writeScope = (context: WriteContext, access: Access): WriteScope => ({
  ...scopeOf(context, access),
  context,
})

export type Target = {
  /** The table without an alias, and under its alias. */
  readonly table: Sql
  readonly from: Sql
  readonly key: readonly Operand[]
  /** No rule of the database keeps two rows from having the same key. */
  readonly isKeyDeclared: boolean
  /** Rows to write are looked up by their keys: the statement itself knows no alias. */
  readonly isLookedUp: boolean
  /** The policy's conditions on a row, before and after it is written. */
  readonly policy: readonly Sql[]
  readonly changes: { readonly [action in ChangeAction]: ChangeTarget }
  /** Columns by which the row is known: those of the key, and those that tables refer to. */
  readonly known: readonly string[]
  /** Other columns of which no two rows may share values, alone or together. */
  readonly unique: readonly Operand[]
}

/** Which rows one kind of change is made to. */
type ChangeTarget = {
  /** What the policy demands besides of a row before it is changed. */
  readonly before: readonly Sql[]
  /** All conditions of the policy on it, if a statement that writes the table can contain them. */
  readonly guard: readonly Sql[]
  /** Whether it can. */
  readonly isGuarded: boolean
}

export function targetOf(scope: WriteScope): Target {
  const known = [...scope.of.table.key, ...referredColumns(scope)]
  return {
    table: scope.of.from,
    from: fromSql(scope),
    key: scope.of.table.key.map((column) => planned(scope, knownColumn(scope, column))),
    isKeyDeclared: scope.of.table.isKeyDeclared === true,
    isLookedUp: hasNoAlias(scope),
    policy: policyConditions(scope),
    changes: { update: changeTarget(scope, 'update'), delete: changeTarget(scope, 'delete') },
    known,
    unique: uniqueColumns(scope, known),
  }
}

function changeTarget(scope: WriteScope, action: ChangeAction): ChangeTarget {
  const { conditions: all, guard } = chosenBy(scope, everything, action)
  const before = changeConditions(scope, action)
  return { before, guard, isGuarded: guard.length === all.length }
}

const hasNoAlias = ({ context, of }: WriteScope): boolean =>
  of.table.kind === 'view' && context.dialect.cannotAliasViews === true

const referredColumns = ({ context, of }: WriteScope): string[] =>
  context.catalogue.schema.tables.flatMap(({ foreignKeys }) =>
    foreignKeys
      .filter(({ table }) => table === of.table.name)
      .flatMap(({ references }) => references),
  )

function uniqueColumns(scope: WriteScope, known: readonly string[]): Operand[] {
  const names = new Set(uniqueSets(scope.of.table).flatMap(({ columns }) => columns))
  return [...names].flatMap((name) => {
    const column = scope.of.columns.get(name)
    return column && !known.includes(name) ? [planned(scope, column)] : []
  })
}

/** Rows chosen by the policy and another condition. */
export type Chosen = {
  /** The conditions of the policy and the actor. */
  readonly conditions: readonly Sql[]
  /** Those of them that the statement that writes the rows can contain; otherwise the rows are locked first. */
  readonly guard: readonly Sql[]
}

/** `action`: what is done to them. Default: nothing, so that also rows that may not be changed are among them. */
export function chosenBy(scope: WriteScope, where: Predicate, action?: ChangeAction): Chosen {
  const demanded = [...conditions(scope, where), ...(action ? changeConditions(scope, action) : [])]
  const condition = (action && scope.access.conditionOf(action)) ?? everything
  return { conditions: demanded, guard: readsTarget(scope, [where, condition]) ? [] : demanded }
}

/** Whether policy or conditions read the written table, and the engine does not allow that. */
function readsTarget({ context, access, of }: WriteScope, where: readonly Predicate[]): boolean {
  if (!context.dialect.cannotReadTarget) return false
  return [access.grant.rows, ...where]
    .flatMap((predicate) => relatedAccesses(access, predicate))
    .some((other) => other.table.name === of.table.name)
}
