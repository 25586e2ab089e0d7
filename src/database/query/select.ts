/** What a question selects, as plain data, and how it is rendered. */

import { countSql, type Counted } from './count.ts'
import { facetsSql, type FacetSelect } from './facets.ts'
import type { Block } from './keyset.ts'
import { lookupsSql, type Lookup } from './lookups.ts'
import { jumpSql, runsSql, wholeRun, type PageShape, type Start } from './page-sql.ts'
import type { SqlContext } from './scope.ts'
import { sumsSql, type SumSelect } from './sums.ts'
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
  | ({ readonly of: 'count' } & Counted)
  | { readonly of: 'lookups'; readonly lookups: readonly Lookup[] }
  | ({ readonly of: 'facets' } & FacetSelect)
  | ({ readonly of: 'sums' } & SumSelect)

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
    case 'count':
      return countSql(context, select)
    case 'lookups':
      return lookupsSql(context, select.lookups)
    case 'facets':
      return facetsSql(context, select)
    case 'sums':
      return sumsSql(context, select)
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
