/** Renders conditions on rows in a dialect. */

import type { ChangeAction } from '../../table/source/access.ts'
import type { Predicate, Referred } from '../../table/source/predicate.ts'
import { policyAccesses } from '../../table/source/related-tables.ts'
import type { Column } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { Dialect, Operand } from '../dialect.ts'
import { listedRows } from './listed-rows.ts'
import { isHeldBack, partsOf } from './policy-first.ts'
import { all, join, sql, type Sql } from './sql.ts'
import {
  findingColumn,
  fromSql,
  guards,
  knownColumn,
  operand,
  readableColumn,
  scopeOf,
  type Scope,
  type SqlContext,
} from './scope.ts'

type Named = (scope: Scope, column: string) => Column

/** The conditions of every statement: rows that the policy allows and the actor asked for. */
export const conditions = (scope: Scope, where: Predicate): Sql[] => [
  ...policyConditions(scope),
  ...ownConditions(scope, where),
]

/** What the actor asks for, so that it chooses no index in place of the policy's. */
function ownConditions(scope: Scope, where: Predicate): Sql[] {
  const { isTrue } = scope.context.dialect
  return partsOf(where).map((part) => {
    const asked = condition(part, scope, readableColumn)
    return isTrue && isHeldBack(scope, part) ? isTrue(asked) : asked
  })
}

/** The rows that the policy allows the actor. Throws for a policy that refers to itself. */
export function policyConditions(scope: Scope): Sql[] {
  const { access } = scope
  if (access.seesAllRows) return []
  policyAccesses(access)
  return conjuncts(access.grant.rows, scope, knownColumn)
}

/** What the policy demands besides of rows to which this is done, before it is. */
export function changeConditions(scope: Scope, action: ChangeAction): Sql[] {
  const condition = scope.access.conditionOf(action)
  return condition ? conjuncts(condition, scope, knownColumn) : []
}

const conjuncts = (predicate: Predicate, scope: Scope, named: Named): Sql[] =>
  partsOf(predicate).map((part) => condition(part, scope, named))

function condition(predicate: Predicate, scope: Scope, named: Named): Sql {
  switch (predicate.op) {
    case 'and':
      return sql`(${all(conjuncts(predicate, scope, named))})`
    case 'or':
      return (
        amongRows(predicate, scope, named) ??
        anyOf(predicate.all.map((part) => condition(part, scope, named)))
      )
    case 'not':
      // Also true for NULL: a row fulfils either a condition or its opposite.
      return scope.context.dialect.isNotTrue(condition(predicate.of, scope, named))
    case 'related': {
      const { column, references } = predicate
      return exists(predicate, scope, named, [[column, references]])
    }
    case 'referred': {
      const { columns, references } = predicate
      const pairs = columns.map((column, at) => [references[at] ?? column, column] as const)
      return exists(predicate, scope, named, pairs)
    }
    default:
      return comparison(predicate, scope, named)
  }
}

const anyOf = (parts: readonly Sql[]): Sql =>
  parts.length === 0 ? NEVER : sql`(${join(parts, ' or ')})`

/** Many rows by their keys as one list: an engine would check a condition for each of them on each row that it reads. */
function amongRows(predicate: Predicate, scope: Scope, named: Named): Sql | undefined {
  const { dialect } = scope.context
  const listed = dialect.amongRows && listedRows(predicate)
  if (!listed) return undefined
  const left = listed.columns.map((column) => operand(scope, finding(named)(scope, column)))
  const rows = listed.rows.filter((row) => row.every(isText))
  return rows.length === 0 ? NEVER : dialect.amongRows?.(left, rows)
}

/** Only who knows a key finds its row; any other comparison would tell what the keys are. */
const finding = (named: Named): Named => (named === readableColumn ? findingColumn : named)

type Comparison = Exclude<Predicate, { op: 'and' | 'or' | 'not' | 'related' | 'referred' }>

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function comparison(predicate: Comparison, scope: Scope, named: Named): Sql {
  const { dialect } = scope.context
  const find = predicate.op === 'eq' ? finding(named) : named
  const left = operand(scope, find(scope, predicate.column))
  switch (predicate.op) {
    case 'null':
      return sql`${left.sql} is null`
    case 'eq':
      return predicate.as
        ? refersAmong(scope, left, predicate.as, [predicate.value])
        : equals(dialect, left, predicate.value)
    case 'in':
      return predicate.as
        ? refersAmong(scope, left, predicate.as, predicate.values)
        : among(dialect, left, predicate.values)
    case 'contains':
    case 'starts': {
      const where = predicate.op === 'starts' ? 'start' : 'anywhere'
      return isText(predicate.text) ? dialect.contains(left, predicate.text, where) : NEVER
    }
    default:
      return predicate.value === null
        ? NEVER
        : dialect.compares(left, COMPARISONS[predicate.op], predicate.value)
  }
}

const NEVER = sql`1 = 0`

/** No database stores half a character, and a driver would send another in its place. */
const isText = (value: Value): boolean => typeof value !== 'string' || value.isWellFormed()

export const equals = (dialect: Dialect, left: Operand, value: Value): Sql =>
  value === null ? sql`${left.sql} is null` : isText(value) ? dialect.equals(left, value) : NEVER

/** Equal to one of the values. */
export const among = (dialect: Dialect, left: Operand, values: readonly Value[]): Sql =>
  amongAny(left, values, (given) => dialect.among(left, given))

function amongAny(
  left: Operand,
  values: readonly Value[],
  holds: (given: readonly Value[]) => Sql,
): Sql {
  const given = values.filter((value) => value !== null && isText(value))
  const isNull = values.includes(null) ? [sql`${left.sql} is null`] : []
  return anyOf(given.length === 0 ? isNull : [holds(given), ...isNull])
}

/** The same for a reference, which the engine compares as the column that it refers to. */
function refersAmong(
  { context }: Pick<Scope, 'context'>,
  left: Operand,
  as: Referred,
  values: readonly Value[],
): Sql {
  const to = referredColumn(context, as)
  return to && holdTexts(left.column, to)
    ? amongAny(left, values, (given) => context.dialect.refersAmong(left, to, given))
    : among(context.dialect, left, values)
}

/** Rows whose column is referred to by one of the values. */
export const referredAmong = (
  { dialect }: SqlContext,
  to: Operand,
  values: readonly Value[],
): Sql =>
  to.column.type === 'text'
    ? amongAny(to, values, (given) => dialect.refersAmong(to, to.column, given))
    : among(dialect, to, values)

/** Its name and how it compares is no secret to whoever sees the column that refers to it. */
export const referredColumn = ({ catalogue }: SqlContext, as: Referred): Column | undefined =>
  catalogue.tables.get(as.table)?.columns.get(as.column)

/** Only texts may be equal though they differ. */
export const holdTexts = (from: Column, to: Column): boolean =>
  from.type === 'text' && to.type === 'text'

/**
 * A row of another table that is joined by pairs of columns, one of which refers to the other. A row that
 * the actor may not see counts as missing.
 */
function exists(
  { op, table, where }: Extract<Predicate, { op: 'related' | 'referred' }>,
  scope: Scope,
  named: Named,
  pairs: readonly (readonly [here: string, there: string])[],
): Sql {
  const here = pairs.map(([column]) => operand(scope, named(scope, column)))
  const access = scope.access.related(table)
  if (!access) return NEVER
  const other = scopeOf(scope.context, access, scope.depth + 1)
  const joined = pairs.map(([, column], at) => {
    const there = operand(other, named(other, column))
    const own = here[at] ?? there
    return op === 'related' ? refersTo(scope, own, there) : refersTo(scope, there, own)
  })
  const inner = [
    ...guards(other),
    ...joined,
    ...policyConditions(other),
    ...conjuncts(where, other, named),
  ]
  return sql`exists (select 1 from ${fromSql(other)} where ${all(inner)})`
}

/** The row of another table that a column refers to, as the engine compares the columns. */
export const refersTo = ({ context }: Pick<Scope, 'context'>, from: Operand, to: Operand): Sql =>
  holdTexts(from.column, to.column)
    ? context.dialect.refersTo(from, to)
    : sql`${to.sql} = ${from.sql}`

/** The columns of the conditions if an index can serve all of them, else `undefined`. */
export function plainColumns(predicate: Predicate): string[] | undefined {
  switch (predicate.op) {
    case 'and': {
      const parts = predicate.all.map(plainColumns)
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined
    }
    case 'null':
    case 'eq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
    case 'in':
      return [predicate.column]
    case 'or':
      return listedRows(predicate)?.columns.slice()
    default:
      return undefined
  }
}

/** Those of `plainColumns` that a condition fixes to one value. */
export function equalColumns(predicate: Predicate): string[] {
  if (predicate.op === 'and') return predicate.all.flatMap(equalColumns)
  return predicate.op === 'eq' || predicate.op === 'null' ? [predicate.column] : []
}

const SEARCHING: ReadonlySet<Predicate['op']> = new Set([
  'related',
  'referred',
  'contains',
  'starts',
])

/** Whether a condition reads only its own table's values, and searches no texts. */
export function isLocal(predicate: Predicate): boolean {
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.all.every(isLocal)
  if (predicate.op === 'not') return isLocal(predicate.of)
  return !SEARCHING.has(predicate.op)
}

/** A searched column and the text; `elsewhere` for a column of another table. */
export type Searched = { readonly column: string; readonly text: string } | 'elsewhere'

/** All text searches in a condition. */
export function searchesOf(predicate: Predicate): Searched[] {
  switch (predicate.op) {
    case 'and':
    case 'or':
      return predicate.all.flatMap(searchesOf)
    case 'not':
      return searchesOf(predicate.of)
    case 'related':
    case 'referred':
      return searchesOf(predicate.where).map(() => 'elsewhere')
    case 'contains':
    case 'starts':
      return [{ column: predicate.column, text: predicate.text }]
    default:
      return []
  }
}
