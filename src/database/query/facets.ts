/** Counts the values of a column. */

import type { Access } from '../../table/source/access.ts'
import type { Predicate, Referred } from '../../table/source/predicate.ts'
import type { Facet, FacetOptions, Facets } from '../../table/source/row-source.ts'
import { type Column, LONG_TYPES } from '../../table/source/schema.ts'
import type { Value } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { conditions, holdTexts, referredColumn } from './predicate-sql.ts'
import { scanQuestion } from './question.ts'
import {
  fromSql,
  guards,
  operand,
  readableColumn,
  scopeOf,
  tableOf,
  type SqlContext,
} from './scope.ts'
import { all, sql, whole, type Sql } from './sql.ts'

/** Default and greatest number of values. */
const LIMIT = 50
const LIMIT_MAX = 1000
/** Characters or bytes to which a value is cut. */
const LENGTH = 200

/** The column whose values are counted, and the rows. */
export type FacetSelect = {
  readonly access: Access
  readonly where: Predicate
  readonly column: string
  readonly limit: number
  /** The column to which it refers. */
  readonly as: Referred | undefined
}

export async function readFacets(
  runner: QueryRunner,
  access: Access,
  where: Predicate,
  column: string,
  { limit = LIMIT, as, ...run }: FacetOptions = {},
): Promise<Facets> {
  const size = Math.min(limit, LIMIT_MAX)
  const of = tableOf(runner.catalogue, access)
  const select = { of: 'facets', access, where, column, limit: size + 1, as } as const
  const question = scanQuestion(runner, select, [readableColumn({ of, access }, column)])
  const { rows } = await runner.read(question, run)
  const facets = rows.slice(0, size).map(facetOf)
  return {
    facets: facets.filter(({ value }) => access.showsValue(column, value)),
    hasMore: rows.length > size,
  }
}

function facetOf([value = null, count]: readonly Value[]): Facet {
  const cut = typeof value === 'string' || value instanceof Uint8Array ? beginningOf(value) : value
  return { value: cut, count: Number(count), isCut: cut !== value }
}

/** Cuts by code points, as databases do. */
function beginningOf(value: string | Uint8Array): string | Uint8Array {
  if (value.length <= LENGTH) return value
  if (typeof value !== 'string') return value.slice(0, LENGTH)
  const characters = [...value]
  return characters.length > LENGTH ? characters.slice(0, LENGTH).join('') : value
}

/** Groups first, so that values are converted once for each group, not for each row. */
export function facetsSql(
  context: SqlContext,
  { access, where, column, limit, as }: FacetSelect,
): Sql {
  const { dialect } = context
  const scope = scopeOf(context, access)
  const counted = readableColumn(scope, column)
  const of = operand(scope, counted)
  const to = as && referredColumn(context, as)
  const isReference = to !== undefined && holdTexts(counted, to)
  const grouped = isReference ? dialect.groupedAs(of, to) : dialect.grouped(of)
  const matching = sql`${fromSql(scope)} where ${all([...guards(scope), ...conditions(scope, where)])}`
  const values = sql`select ${grouped} as v from ${matching}`
  const groups = sql`select v, count(*) as n from (${values}) as found group by v order by n desc, v is null, v ${dialect.limit(limit)}`
  const value = (isReference ? undefined : dialect.ungrouped?.(sql`v`, counted)) ?? sql`v`
  return sql`select ${shortened(context, value, counted)}, n from (${groups}) as facets order by n desc, v is null, v`
}

function shortened({ dialect }: SqlContext, value: Sql, { type }: Column): Sql {
  if (!LONG_TYPES.has(type)) return value
  return sql`case when ${dialect.bytes(value)} > ${whole(LENGTH)} then ${dialect.beginning(value, LENGTH + 1)} else ${value} end`
}
