/** What a question selects, as plain data, and how it is rendered. */

import { countSql, type Counted } from './count.ts'
import { facetsSql, type FacetSelect } from './facets.ts'
import type { Block } from './keyset.ts'
import { labelsSql, type WantedLabels } from './labels.ts'
import { jumpSql, runCountSql, runsSql, wholeRun, type PageShape, type Start } from './page-sql.ts'
import { rankSql, type RankSelect } from './rank.ts'
import { relatedRowsSql, type WantedRow } from './related-rows.ts'
import type { SqlContext } from './scope.ts'
import { render, type Sql, type Statement } from './sql.ts'

export type Select =
  /** The first rows of an order from a start: of its runs, one after the other. */
  | {
      readonly of: 'runs'
      readonly shape: PageShape
      readonly runs: readonly Block[]
      readonly start: Start
      readonly limit: number
    }
  /** Rows of one run, after skipping some. */
  | {
      readonly of: 'jump'
      readonly shape: PageShape
      readonly run: Block
      readonly skip: number
      readonly limit: number
    }
  /** The number of rows of a run, up to `bound`. */
  | {
      readonly of: 'run count'
      readonly shape: PageShape
      readonly run: Block
      readonly bound: number
    }
  | ({ readonly of: 'count' } & Counted)
  | { readonly of: 'labels'; readonly relations: readonly WantedLabels[] }
  | { readonly of: 'related rows'; readonly wanted: readonly WantedRow[] }
  | ({ readonly of: 'facets' } & FacetSelect)
  | ({ readonly of: 'rank' } & RankSelect)

/** Renders a selection in an engine's dialect. */
export const statementOf = (context: SqlContext, select: Select): Statement =>
  render(selectSql(context, select), context.dialect)

function selectSql(context: SqlContext, select: Select): Sql {
  switch (select.of) {
    case 'runs': {
      const { shape, runs, start, limit } = select
      const read = context.dialect.isOneRun ? [wholeRun(shape, runs, start)] : runs
      return runsSql(context, shape, read, limit)
    }
    case 'jump':
      return jumpSql(context, select.shape, select.run, select)
    case 'run count':
      return runCountSql(context, select.shape, select.run, select.bound)
    case 'count':
      return countSql(context, select)
    case 'labels':
      return labelsSql(context, select.relations)
    case 'related rows':
      return relatedRowsSql(context, select.wanted)
    case 'facets':
      return facetsSql(context, select)
    case 'rank':
      return rankSql(context, select)
  }
}

const START: Start = { backwards: false }

/** Each run of an order by itself, to be explained by the planner. */
export function runsApart(select: Select): Select[] {
  if (select.of !== 'runs' && select.of !== 'jump') return []
  const { shape, limit } = select
  const runs = select.of === 'runs' ? select.runs : [select.run]
  return runs.map((run) => ({ of: 'runs', shape, runs: [run], start: START, limit }))
}
