/** A part of a page as a question. */

import type { SqliteFile } from './file.ts'
import { pageStatements, type PageShape, type Reading } from './page-sql.ts'
import { reachOf, type Question } from './question.ts'

/** Jumps over more rows than this are left to a worker, even along an index. */
const SHORT_JUMP = 1000
/** So are answers of more rows than this. */
const SHORT_ANSWER = 2000

export function pageQuestion(
  { catalogue, plans }: SqliteFile,
  shape: PageShape,
  reading: Reading,
  limit: number,
): Question {
  const reach = reachOf(catalogue, shape.access, shape.query.where)
  const make = (isGuarded: boolean) =>
    pageStatements({ catalogue, isGuarded }, shape, reading, limit)
  const statements = make(false)
  return {
    ...reach,
    limit,
    statements,
    guarded: () => make(true),
    isLong: limit > SHORT_ANSWER || (reading.from === 'offset' && reading.skip > SHORT_JUMP),
    isServed: () =>
      statements.every(
        ({ explained, entered }) =>
          entered !== undefined && plans.servesOrder(explained, reach.table, entered),
      ),
  }
}
