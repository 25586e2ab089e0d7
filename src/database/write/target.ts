/** The table that a unit writes, as its plan holds it. */

import { everything, type Predicate } from '../../table/source/predicate.ts'
import type { Operand } from '../dialect.ts'
import { relatedAccesses } from '../../table/source/related-tables.ts'
import { conditions, policyConditions } from '../query/predicate-sql.ts'
import { fromSql, knownColumn, scopeOf, type Scope, type SqlContext } from '../query/scope.ts'
import type { Access } from '../../table/source/access.ts'
import type { Sql } from '../query/sql.ts'
import { planned } from './columns.ts'
import type { WriteDialect } from './write-dialect.ts'

/** Where a unit is planned. */
export type WriteContext = SqlContext & { readonly dialect: WriteDialect }

export type WriteScope = Scope & { readonly bench: WriteContext }

export const writeScope = (bench: WriteContext, access: Access): WriteScope => ({
  ...scopeOf(bench, access),
  bench,
})

export type Target = {
  /** The table under its alias. */
  readonly from: Sql
  readonly key: readonly Operand[]
  /** What the policy demands of a row, before it is written and after. */
  readonly policy: readonly Sql[]
  /** The same as far as a statement that writes the table can say it. */
  readonly guard: readonly Sql[]
}

export const targetOf = (scope: WriteScope): Target => ({
  from: fromSql(scope),
  key: scope.of.table.key.map((column) => planned(scope, knownColumn(scope, column))),
  policy: policyConditions(scope),
  guard: chosenBy(scope, everything).guard,
})

/** Rows that are chosen by a condition besides the policy. */
export type Chosen = {
  /** What the policy and the actor demand of them. */
  readonly conditions: readonly Sql[]
  /** The same as far as the statement that writes them can say it; the rows must be held before. */
  readonly guard: readonly Sql[]
}

export function chosenBy(scope: WriteScope, where: Predicate): Chosen {
  const demanded = conditions(scope, where)
  return { conditions: demanded, guard: looksBack(scope, where) ? [] : demanded }
}

/** Whether policy or condition look at the written table once more where the engine cannot. */
function looksBack({ bench, access, of }: WriteScope, where: Predicate): boolean {
  if (!bench.dialect.isBlindToTarget) return false
  return [access.grant.rows, where]
    .flatMap((predicate) => relatedAccesses(access, predicate))
    .some((other) => other.table.name === of.table.name)
}
