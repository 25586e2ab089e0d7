/** Reads the labels of the rows that a page's rows refer to, all relations in one statement. */

import { everything } from '../../table/predicate.ts'
import type { PageQuery, PageRow, RelatedLabel, Run } from '../../table/row-source.ts'
import type { Value } from '../../table/value.ts'
import { all, bind, join, render, sql, type Sql } from '../sql.ts'
import { sqliteDialect } from './dialect.ts'
import { among, policyConditions } from './predicate-sql.ts'
import type { KnownLabels } from './label-cache.ts'
import { reachOf, type Question } from './question.ts'
import type { Sources } from './reader.ts'
import { columnSql, fromSql, guards, readableColumn, scopeOf, type Workbench } from './scope.ts'

/** A relation with the values on the page whose labels are not known yet. */
type Wanted = { readonly relation: RelatedLabel; readonly values: readonly Value[] }

/** The rows with their labels. A row that may not be seen has none, as if it were not there. */
export async function withLabels(
  sources: Sources,
  { columns, related = [] }: PageQuery,
  rows: PageRow[],
  run?: Run,
): Promise<PageRow[]> {
  if (related.length === 0) return rows
  const { labels, file } = sources
  const version = file.dataVersion()
  const relations = related.map((relation) => ({
    relation,
    place: columns.indexOf(relation.column),
    known: labels.of(relation, version),
  }))
  const wanted = relations.map(({ relation, place, known }) => ({
    relation,
    values: missing(rows, place, known),
  }))
  if (wanted.some(({ values }) => values.length > 0)) {
    const found = await readLabels(sources, wanted, run)
    relations.forEach(({ known }, i) => {
      for (const value of wanted[i]!.values)
        known.set(textOf(value), found.get(`${i} ${textOf(value)}`))
    })
  }
  return rows.map((row) => ({
    ...row,
    labels: relations.map(({ place, known }) => {
      const value = row.values[place] ?? null
      return value === null ? undefined : known.get(textOf(value))
    }),
  }))
}

function missing(rows: readonly PageRow[], place: number, known: KnownLabels): Value[] {
  const values = new Map<string, Value>()
  for (const row of rows) {
    const value = row.values[place] ?? null
    if (value !== null && !known.has(textOf(value))) values.set(textOf(value), value)
  }
  return [...values.values()]
}

/** Labels by relation and by the value that refers to them. */
async function readLabels(
  { file, reader }: Sources,
  relations: readonly Wanted[],
  run?: Run,
): Promise<Map<string, string | null>> {
  const wanted = relations.filter(({ values }) => values.length > 0)
  const { catalogue, plans } = file
  const make = (isGuarded: boolean) => [
    render(labelsSql({ catalogue, isGuarded }, relations), sqliteDialect),
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
  return new Map(
    rows.map(([relation, value, label]) => [
      `${String(relation)} ${textOf(value!)}`,
      label === null || label === undefined ? null : String(label),
    ]),
  )
}

const labelsSql = (bench: Workbench, wanted: readonly Wanted[]): Sql =>
  join(
    wanted.flatMap((one, i) => (one.values.length > 0 ? [relationSql(bench, one, i)] : [])),
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
