/** Conditions on rows as SQLite says them. */

import type { Access } from '../../table/access.ts'
import type { Predicate } from '../../table/predicate.ts'
import type { Column } from '../../table/schema.ts'
import type { Value } from '../../table/value.ts'
import { all, bind, join, sql, type Sql } from '../sql.ts'
import {
  columnSql,
  fromSql,
  guards,
  knownColumn,
  readableColumn,
  scopeOf,
  type Scope,
} from './scope.ts'

type Named = (scope: Scope, column: string) => Column

/** What every statement on a table demands: rows that the policy allows and the actor wants. */
export const conditions = (scope: Scope, where: Predicate): Sql[] => [
  ...policyConditions(scope),
  ...conjuncts(where, scope, readableColumn),
]

/** The rows that the policy lets the actor touch. */
export const policyConditions = (scope: Scope): Sql[] =>
  conjuncts(scope.access.grant.rows, scope, knownColumn)

const conjuncts = (predicate: Predicate, scope: Scope, named: Named): Sql[] =>
  predicate.op === 'and'
    ? predicate.all.flatMap((part) => conjuncts(part, scope, named))
    : [condition(predicate, scope, named)]

function condition(predicate: Predicate, scope: Scope, named: Named): Sql {
  switch (predicate.op) {
    case 'and':
      return sql`(${all(conjuncts(predicate, scope, named))})`
    case 'or':
      return anyOf(predicate.all.map((part) => condition(part, scope, named)))
    case 'not':
      // True for NULLs too: a row fulfils either a condition or its opposite.
      return sql`(${condition(predicate.of, scope, named)}) is not true`
    case 'related':
      return related(predicate, scope, named)
    default:
      return comparison(predicate, scope, named)
  }
}

const anyOf = (parts: readonly Sql[]): Sql =>
  parts.length === 0 ? sql`1 = 0` : sql`(${join(parts, ' or ')})`

type Comparison = Exclude<Predicate, { op: 'and' | 'or' | 'not' | 'related' }>

const OPERATORS = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` }

function comparison(predicate: Comparison, scope: Scope, named: Named): Sql {
  const column = named(scope, predicate.column)
  const left = columnSql(scope, column.name)
  switch (predicate.op) {
    case 'null':
      return sql`${left} is null`
    case 'eq':
      return equals(left, predicate.value)
    case 'in':
      return among(left, predicate.values)
    case 'contains':
      return contains(left, column, predicate.text)
    default:
      return sql`${left} ${OPERATORS[predicate.op]} ${bind(predicate.value)}`
  }
}

const equals = (left: Sql, value: Value): Sql =>
  value === null ? sql`${left} is null` : sql`${left} = ${bind(value)}`

/** More values than this travel as one JSON array. */
const LISTED_VALUES = 128

/** Lists are filled up to a power of two, so that few different texts exist. */
export function among(left: Sql, values: readonly Value[]): Sql {
  const given = values.filter((value) => value !== null)
  const isNull = given.length < values.length ? [sql`${left} is null`] : []
  if (given.length === 0) return anyOf(isNull)
  return anyOf([sql`${left} in (${listed(given)})`, ...isNull])
}

function listed(values: readonly Value[]): Sql {
  if (values.length > LISTED_VALUES && values.every(fitsJson))
    return sql`select value from json_each(${bind(toJson(values))})`
  const size = 2 ** Math.ceil(Math.log2(values.length))
  return join(Array.from({ length: size }, (_, i) => bind(values[i] ?? values[0]!)))
}

const fitsJson = (value: Value): boolean =>
  typeof value === 'bigint' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && !value.includes('\0') && value.isWellFormed())

const toJson = (values: readonly Value[]): string =>
  `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join(',')}]`

/** Longer patterns make SQLite give up. */
const LONGEST_PATTERN = 10_000

/**
 * Letter case is ignored for ASCII letters only, as SQLite does. LIKE would end at a NUL character
 * and at its longest pattern; then the slower way is taken.
 */
function contains(left: Sql, { type }: Column, text: string): Sql {
  const whole = type === 'text' ? left : sql`cast(${left} as text)`
  if (text.includes('\0') || text.length > LONGEST_PATTERN)
    return sql`instr(lower(${whole}), lower(${bind(text)})) > 0`
  return sql`${whole} like ${bind(`%${text.replace(/[\\%_]/g, '\\$&')}%`)} escape '\\'`
}

/** A row that may not be seen counts as one that is not there. */
function related(
  { column, access, references, where }: Extract<Predicate, { op: 'related' }>,
  scope: Scope,
  named: Named,
): Sql {
  const other = scopeOf(scope.bench, access, scope.depth + 1)
  const from = columnSql(scope, named(scope, column).name)
  const to = columnSql(other, named(other, references).name)
  const inner = [
    ...guards(other),
    sql`${to} = ${from}`,
    ...policyConditions(other),
    ...conjuncts(where, other, named),
  ]
  return sql`exists (select 1 from ${fromSql(other)} where ${all(inner)})`
}

/**
 * The columns of conditions that an index can serve, or `undefined` where some cannot be served.
 */
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
    default:
      return undefined
  }
}

/** Whether a condition looks at its own table's stored values alone, without reading long texts. */
export function isLocal(predicate: Predicate): boolean {
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.all.every(isLocal)
  if (predicate.op === 'not') return isLocal(predicate.of)
  return predicate.op !== 'related' && predicate.op !== 'contains'
}

/** The tables that a condition looks at besides its own. */
export function relatedAccesses(predicate: Predicate): Access[] {
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.all.flatMap(relatedAccesses)
  if (predicate.op === 'not') return relatedAccesses(predicate.of)
  if (predicate.op !== 'related') return []
  const { access, where } = predicate
  return [access, ...relatedAccesses(access.grant.rows), ...relatedAccesses(where)]
}
