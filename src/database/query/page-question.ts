/** The questions that read parts of a page. */

import { queryScope, type Question } from '../query-runner.ts'
import type { Block } from './keyset.ts'
import { indexedRun, runsOf, type PageShape, type Start } from './page-sql.ts'
import type { SqlContext } from './scope.ts'
import type { Select } from './select.ts'

/** Skipping more rows than this is slow even with an index. */
const SHORT_JUMP = 1000
/** So is reading more rows than this. */
const SHORT_ANSWER = 2000

/** Reads the first rows from a start. */
export function startQuestion(
  context: SqlContext,
  shape: PageShape,
  start: Start,
  limit: number,
): Question {
  const runs = runsOf(context, shape, start)
  const select: Select = { of: 'runs', shape, runs, start, limit }
  return question(context, shape, runs, { select, isLong: limit > SHORT_ANSWER })
}

/** One of an order's runs, and which of its rows to read. */
export type Jump = {
  readonly backwards: boolean
  readonly run: number
  readonly skip: number
  readonly limit: number
}

export function jumpQuestion(context: SqlContext, shape: PageShape, jump: Jump): Question {
  const { backwards, skip, limit } = jump
  const run = runsOf(context, shape, { backwards })[jump.run]!
  const select: Select = { of: 'jump', shape, run, skip, limit }
  const isLong = skip > SHORT_JUMP || limit > SHORT_ANSWER
  return question(context, shape, [run], { select, isLong })
}

/** Counts the rows of a run, up to `limit`. */
export function runCountQuestion(context: SqlContext, shape: PageShape, jump: Jump): Question {
  const { backwards, limit } = jump
  const run = runsOf(context, shape, { backwards })[jump.run]!
  return {
    ...queryScope(context.catalogue, shape.access, shape.query.where),
    select: { of: 'run count', shape, run, bound: limit },
    cells: [],
    need: { of: 'scan' },
    isLong: true,
  }
}

const question = (
  context: SqlContext,
  shape: PageShape,
  runs: readonly Block[],
  own: Pick<Question, 'select' | 'isLong'>,
): Question => ({
  ...queryScope(context.catalogue, shape.access, shape.query.where),
  ...own,
  cells: shape.cells,
  need: { of: 'order', runs: runs.map((run) => indexedRun(shape, run)) },
})
