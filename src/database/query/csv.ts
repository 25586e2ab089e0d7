/** Reads part of a file: rows after a place in the order, as lines of CSV. */

import { type CsvColumn, csvLines } from '../../table/actions/csv.ts'
import type { Access } from '../../table/source/access.ts'
import type { CsvPart, CsvPlace, CsvQuery, Run } from '../../table/source/row-source.ts'
import type { EngineRunner, LinesAnswer, QueryRunner } from '../query-runner.ts'
import { readPage } from './page.ts'
import { isAtAnchor } from './page-rows.ts'
import { pageShape, type PageShape } from './page-sql.ts'
import { startQuestion } from './question.ts'
import { readableColumn, tableOf } from './scope.ts'

export async function readCsv(
  runner: QueryRunner,
  access: Access,
  query: CsvQuery,
  run?: Run,
): Promise<CsvPart> {
  const of = tableOf(runner.catalogue, access)
  const columns = query.columns.map((column) => readableColumn({ of, access }, column))
  const shape = pageShape(runner.catalogue, access, query)
  if (shape.keyPlaces.length === 0) return counted(runner, access, query, columns, run)
  const anchor = query.place.at === 'after' ? query.place.anchor : undefined
  // The part before ended at the anchor's row, which comes first if it is still there.
  const limit = anchor ? query.size + 1 : query.size
  const start = { backwards: false, ...(anchor && { anchor }) }
  const question = startQuestion(runner, shape, start, limit)
  const answer = await runner.readLines(question, columns, run)
  const { ends, count, pieces, firstLength, isServed: indexed } = answer
  const isRepeated = anchor && ends && isAtAnchor(shape, ends.first, anchor)
  return {
    pieces: isRepeated ? withoutStart(pieces, firstLength) : pieces,
    rows: isRepeated ? count - 1 : count,
    ...(ends && count === limit && { next: placeAfter(shape, ends) }),
    indexed,
  }
}

const withoutStart = ([first, ...others]: readonly Uint8Array[], length: number): Uint8Array[] =>
  first ? [first.subarray(length), ...others] : others

const placeAfter = (
  { keyPlaces, sortPlaces }: PageShape,
  { last }: NonNullable<LinesAnswer['ends']>,
): CsvPlace => ({
  at: 'after',
  anchor: {
    sort: sortPlaces.map((place) => last[place] ?? null),
    key: keyPlaces.map((place) => last[place] ?? null),
  },
})

/** Rows without a key can only be counted off. */
async function counted(
  runner: QueryRunner,
  access: Access,
  query: CsvQuery,
  columns: readonly CsvColumn[],
  run?: Run,
): Promise<CsvPart> {
  const skipped = query.place.at === 'offset' ? query.place.skip : 0
  const place = { at: 'offset', skip: skipped } as const
  const { rows, after, indexed } = await readPage(runner, access, { ...query, place }, run)
  const values = rows.map((row) => row.values)
  const { pieces, count } = csvLines(values, columns)
  const next = { at: 'offset', skip: skipped + count } as const
  return { pieces, rows: count, ...(after && { next }), indexed }
}

/** For engines whose answers come as rows. */
export async function linesByRows(
  runner: EngineRunner,
  ...[question, columns, run]: Parameters<QueryRunner['readLines']>
): Promise<LinesAnswer> {
  const { rows, isServed } = await runner.read(question, run)
  const [first, last] = [rows[0], rows.at(-1)]
  const lines = csvLines(rows, columns)
  // Drivers chain their queries, and through what is left of the last one all rows would stay until a
  // full collection: without this, an export takes three times the memory.
  rows.length = 0
  return { ...lines, ...(first && last && { ends: { first, last } }), isServed }
}
