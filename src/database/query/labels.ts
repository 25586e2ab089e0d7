/** Reads the labels of the rows that a page refers to, all relations in one statement. */

import { everything } from '../../table/source/predicate.ts'
import type { PageQuery, PageRow, RelatedLabel, Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import { queryScope, type QueryRunner } from '../query-runner.ts'
import type { CachedLabels } from './label-cache.ts'
import { among, policyConditions } from './predicate-sql.ts'
import { fromSql, guards, operand, readableColumn, scopeOf, type SqlContext } from './scope.ts'
import { all, join, sql, whole, type Sql } from './sql.ts'

/** A relation, and the values on the page whose labels are not cached yet. */
export type WantedLabels = { readonly relation: RelatedLabel; readonly values: readonly Value[] }

/** The rows with their labels. A row that the actor may not see has none, as if it did not exist. */
export async function withLabels(
  runner: QueryRunner,
  { columns, related = [] }: PageQuery,
  rows: PageRow[],
  run?: Run,
): Promise<PageRow[]> {
  if (related.length === 0) return rows
  const cached = runner.labels(related)
  const relations = related.map((relation, i) => ({
    relation,
    place: columns.indexOf(relation.column),
    cached: cached[i]!,
  }))
  const wanted = relations.map(({ relation, place, cached }) => ({
    relation,
    values: missing(rows, place, cached),
  }))
  if (wanted.some(({ values }) => values.length > 0)) {
    const found = await readLabels(runner, wanted, run)
    relations.forEach(({ cached }, i) => {
      for (const value of wanted[i]!.values)
        cached.set(textOf(value), found.get(`${i} ${textOf(value)}`))
    })
  }
  return rows.map((row) => ({
    ...row,
    labels: relations.map(({ place, cached }) => {
      const value = row.values[place] ?? null
      return value === null ? undefined : cached.get(textOf(value))
    }),
  }))
}

function missing(rows: readonly PageRow[], place: number, cached: CachedLabels): Value[] {
  const values = new Map<string, Value>()
  for (const row of rows) {
    const value = row.values[place] ?? null
    if (value !== null && !cached.has(textOf(value))) values.set(textOf(value), value)
  }
  return [...values.values()]
}

/** Labels by relation and by the value that refers to them. */
async function readLabels(
  runner: QueryRunner,
  relations: readonly WantedLabels[],
  run?: Run,
): Promise<Map<string, string | null>> {
  const scopes = relations
    .filter(({ values }) => values.length > 0)
    .map(({ relation }) => queryScope(runner.catalogue, relation.access, everything))
  const { rows } = await runner.read(
    {
      ...scopes[0]!,
      select: { of: 'labels', relations },
      cells: [],
      need: { of: 'lookup' },
      isLong: false,
      isLocal: false,
      hasView: scopes.some(({ hasView }) => hasView),
    },
    run,
  )
  return new Map(
    rows.map(([relation, value, label]) => [
      `${String(relation)} ${textOf(value!)}`,
      label === null || label === undefined ? null : String(label),
    ]),
  )
}

export const labelsSql = (context: SqlContext, wanted: readonly WantedLabels[]): Sql =>
  join(
    wanted.flatMap((one, i) => (one.values.length > 0 ? [relationSql(context, one, i)] : [])),
    ' union all ',
  )

/** Longest label, characters. */
export const LABEL_MAX = 200

function relationSql(context: SqlContext, { relation, values }: WantedLabels, place: number): Sql {
  const { dialect } = context
  const scope = scopeOf(context, relation.access)
  const references = operand(scope, readableColumn(scope, relation.references))
  const label = dialect.text(operand(scope, readableColumn(scope, relation.label)))
  const demands = [...guards(scope), among(dialect, references, values), ...policyConditions(scope)]
  return sql`select ${whole(place)} as relation, ${dialect.unioned(references)} as value, ${dialect.beginning(label, LABEL_MAX)} as label from ${fromSql(scope)} where ${all(demands)}`
}

/** As text, since a key may be a number on one side of a relation and a text on the other. */
const textOf = (value: Value): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
