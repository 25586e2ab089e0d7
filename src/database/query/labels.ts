/** Reads the labels of the rows that a page refers to. */

import type { PageQuery, PageRow, RelatedLabel, Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import type { QueryRunner } from '../query-runner.ts'
import { valueText } from './keys.ts'
import type { CachedLabels } from './label-cache.ts'
import { lookUp, type Lookup, type Related } from './lookups.ts'
import { tableOf } from './scope.ts'

/** The same relation, of one column. */
export const relatedBy = ({ column, access, references, label, more }: RelatedLabel): Related => ({
  columns: [column],
  access,
  references: [references],
  ...{ label, more },
})

/** The rows with their labels. A row that the actor may not see has none, as if it did not exist. */
export async function withLabels(
  runner: QueryRunner,
  { columns, related = [] }: PageQuery,
  rows: PageRow[],
  run?: Run,
): Promise<PageRow[]> {
  if (related.length === 0) return rows
  const relations = related.map((relation) => {
    const column = columns.indexOf(relation.column)
    const cached = runner.labels(relation)
    const texts = textsOf(rows, column)
    return { relation, texts, cached, missing: missing(rows, { column, texts, cached }) }
  })
  const lookups = relations.flatMap(({ relation, missing }, place): Lookup[] => {
    const { access, references } = relatedBy(relation)
    const { label, more } = relation
    const wanted = { access, references, label, more, read: references }
    return missing.length === 0 ? [] : [{ ...wanted, place, values: missing, isMany: true }]
  })
  if (lookups.length > 0) {
    const found = await lookUp(runner, lookups, run)
    const labels = new Map(found.map((one) => [nameOf(one.place, one.values[0]), one.label]))
    for (const [place, { cached, missing }] of relations.entries())
      for (const value of missing) cached.set(valueText(value), labels.get(nameOf(place, value)))
    const isFound = (place: number) => found.some((one) => one.place === place)
    const loose = lookups.filter((one) => isFound(one.place) && isLoose(runner, one))
    for (const { place, values, ...wanted } of loose) {
      const { cached } = relations[place] ?? {}
      const others = values.filter((value) => !labels.has(nameOf(place, value)))
      if (cached) await labelEach(runner, wanted, others, cached, run)
    }
  }
  return rows.map((row, at) => {
    const labels: PageRow['labels'][number][] = []
    for (const { texts, cached } of relations) {
      const text = texts[at]
      labels.push(text === undefined ? undefined : cached.get(text))
    }
    return { ...row, labels }
  })
}

/** What names each row's value in the column; `undefined` for NULL. */
function textsOf(rows: readonly PageRow[], column: number): (string | undefined)[] {
  const texts: (string | undefined)[] = []
  for (const { values } of rows) {
    const value = values[column] ?? null
    texts.push(value === null ? undefined : valueText(value))
  }
  return texts
}

/** Whether the engine may find a row by another text than its own. */
function isLoose({ catalogue, dialect }: QueryRunner, { access, references }: Lookup): boolean {
  const [name = ''] = references
  const column = tableOf(catalogue, access).columns.get(name)
  return column?.type === 'text' && dialect.isLoose(column)
}

/** Most values of one statement. */
const AT_ONCE = 100

/** Looks up one value at a time: only the engine can tell which of the found rows each refers to. */
async function labelEach(
  runner: QueryRunner,
  wanted: Omit<Lookup, 'place' | 'values'>,
  values: readonly Value[],
  cached: CachedLabels,
  run?: Run,
): Promise<void> {
  for (let start = 0; start < values.length; start += AT_ONCE) {
    const asked = values.slice(start, start + AT_ONCE)
    const lookups = asked.map((value, place): Lookup => ({
      ...wanted,
      place,
      values: [value],
      isMany: false,
    }))
    for (const { place, label } of await lookUp(runner, lookups, run))
      cached.set(valueText(asked[place] ?? null), label)
  }
}

type Referring = {
  readonly column: number
  readonly texts: readonly (string | undefined)[]
  readonly cached: CachedLabels
}

/** The values whose labels are not known yet, each once. */
function missing(rows: readonly PageRow[], { column, texts, cached }: Referring): Value[] {
  const values = new Map<string, Value>()
  for (const [at, row] of rows.entries()) {
    const text = texts[at]
    if (text !== undefined && !cached.has(text)) values.set(text, row.values[column] ?? null)
  }
  return [...values.values()]
}

const nameOf = (place: number, value: Value = null): string => `${place} ${valueText(value)}`
