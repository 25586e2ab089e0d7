/** Reads the labels of the rows that a page's rows refer to, all relations in one statement. */

import { everything } from '../../table/predicate.ts'
import type { PageQuery, PageRow, RelatedLabel, Run } from '../../table/row-source.ts'
import type { Value } from '../../table/value.ts'
import { all, bind, join, render, sql, type Sql } from '../sql.ts'
import { sqliteDialect } from './dialect.ts'
import { among, policyConditions } from './predicate-sql.ts'
import { reachOf, type Question } from './question.ts'
import type { Sources } from './reader.ts'
import { columnSql, fromSql, guards, readableColumn, scopeOf, type Workbench } from './scope.ts'

/** Looks up labels by relation and by the value that refers to it. */
type Lookup = (relation: number, value: Value) => string | null

/** A relation with the distinct values that its column has on the page. */
type Wanted = { readonly relation: RelatedLabel; readonly values: readonly Value[] }

/** The rows with their labels. A row that may not be seen has none, as if it were not there. */
export async function withLabels(
  sources: Sources,
  { columns, related = [] }: PageQuery,
  rows: PageRow[],
  run?: Run,
): Promise<PageRow[]> {
  if (related.length === 0) return rows
  const places = related.map(({ column }) => columns.indexOf(column))
  const wanted = related.map((relation, i) => ({ relation, values: distinct(rows, places[i]!) }))
  const labelOf = await readLabels(sources, wanted, run)
  return rows.map((row) => ({
    ...row,
    labels: places.map((place, relation) => labelOf(relation, row.values[place] ?? null)),
  }))
}

const distinct = (rows: readonly PageRow[], place: number): Value[] => [
  ...new Map(
    rows.flatMap(({ values }) => {
      const value = values[place] ?? null
      return value === null ? [] : [[textOf(value), value]]
    }),
  ).values(),
]

async function readLabels(
  { file, reader }: Sources,
  wanted: readonly Wanted[],
  run?: Run,
): Promise<Lookup> {
  const { catalogue, plans } = file
  const make = (isGuarded: boolean) => [
    render(labelsSql({ catalogue, isGuarded }, wanted), sqliteDialect),
  ]
  const statements = make(false)
  const reaches = wanted.map(({ relation }) => reachOf(catalogue, relation.access, everything))
  const question: Question = {
    table: reaches[0]!.table,
    statements,
    guarded: () => make(true),
    limit: null,
    isServed: () => statements.every(({ text }) => plans.servesLookup(text)),
    isLong: false,
    isLocal: false,
    hasView: reaches.some(({ hasView }) => hasView),
  }
  const { rows } = await reader.read(question, run)
  const labels = new Map(
    rows.map(([relation, value, label]) => [`${relation} ${textOf(value!)}`, label]),
  )
  return (relation, value) => {
    const label = value === null ? null : labels.get(`${relation} ${textOf(value)}`)
    return label === undefined || label === null ? null : String(label)
  }
}

const labelsSql = (bench: Workbench, wanted: readonly Wanted[]): Sql =>
  join(
    wanted.map((one, i) => relationSql(bench, one, i)),
    ' union all ',
  )

function relationSql(bench: Workbench, { relation, values }: Wanted, place: number): Sql {
  const scope = scopeOf(bench, relation.access)
  const references = columnSql(scope, readableColumn(scope, relation.references).name)
  const label = columnSql(scope, readableColumn(scope, relation.label).name)
  const demands = [...guards(scope), among(references, values), ...policyConditions(scope)]
  return sql`select ${bind(place)}, ${references}, cast(${label} as text) from ${fromSql(scope)} where ${all(demands)}`
}

/** A key may be a number on one side and a text on the other. */
const textOf = (value: Value): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
