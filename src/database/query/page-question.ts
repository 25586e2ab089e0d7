/** Parts of a page as questions. */

import { queryScope, type Engine, type Question } from '../engine.ts'
import type { Block } from './keyset.ts'
import {
  indexedRun,
  jumpSql,
  runCountSql,
  runsOf,
  runsSql,
  wholeRun,
  type PageShape,
  type Start,
} from './page-sql.ts'
import type { SqlContext } from './scope.ts'
import { render, type Sql } from './sql.ts'

/** Jumps over more rows than this take long, even along an index. */
const SHORT_JUMP = 1000
/** So do answers of more rows than this. */
const SHORT_ANSWER = 2000

/** The first rows from a start on. */
export function startQuestion(
  engine: Engine,
  shape: PageShape,
  start: Start,
  limit: number,
): Question {
  return question(engine, shape, runsOf(engine, shape, start), {
    limit,
    isLong: limit > SHORT_ANSWER,
    make: (bench) => {
      const runs = bench.dialect.isOneRun
        ? [wholeRun(bench, shape, start)]
        : runsOf(bench, shape, start)
      return runsSql(bench, shape, runs, limit)
    },
  })
}

/** Which of an order's runs, and which rows of it. */
export type Jump = {
  readonly backwards: boolean
  readonly run: number
  readonly skip: number
  readonly limit: number
}

export function jumpQuestion(engine: Engine, shape: PageShape, jump: Jump): Question {
  const { backwards, skip, limit } = jump
  const runs = runsOf(engine, shape, { backwards })
  return question(engine, shape, [runs[jump.run]!], {
    limit,
    isLong: skip > SHORT_JUMP || limit > SHORT_ANSWER,
    make: (bench) =>
      jumpSql(bench, shape, runsOf(bench, shape, { backwards })[jump.run]!, { skip, limit }),
  })
}

/** How many rows a run has, no more than `limit`. */
export function runCountQuestion(engine: Engine, shape: PageShape, jump: Jump): Question {
  const { backwards, limit } = jump
  return {
    ...queryScope(engine.catalogue, shape.access, shape.query.where),
    statement: inDialect(engine, (bench) =>
      runCountSql(bench, shape, runsOf(bench, shape, { backwards })[jump.run]!, limit),
    ),
    cells: [],
    need: { of: 'scan' },
    isLong: true,
  }
}

type Asked = {
  readonly limit: number
  readonly isLong: boolean
  make(bench: SqlContext): Sql
}

function question(
  engine: Engine,
  shape: PageShape,
  runs: readonly Block[],
  { limit, isLong, make }: Asked,
): Question {
  return {
    ...queryScope(engine.catalogue, shape.access, shape.query.where),
    statement: inDialect(engine, make),
    cells: shape.cells,
    need: { of: 'order', runs: runs.map((run) => indexedRun(engine, shape, run, limit)) },
    isLong,
  }
}

/** The same statement for whichever dialect it is wanted in. */
export const inDialect =
  ({ catalogue }: Engine, make: (bench: SqlContext) => Sql): Question['statement'] =>
  (dialect) =>
    render(make({ catalogue, dialect }), dialect)
