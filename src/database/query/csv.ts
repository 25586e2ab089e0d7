/** Reads part of a file: rows after a place in the order, as lines of CSV. */

import { csvLines } from '../../table/source/csv.ts'
import type { Access } from '../../table/source/access.ts'
import type { CsvPart, CsvPlace, CsvQuery, PageQuery, Run } from '../../table/source/row-source.ts'
import type { Column } from '../../table/source/schema.ts'
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
  const columns = query.columns.map((column) => ({
    ...readableColumn({ of, access }, column),
    isJudged: access.judges(column),
  }))
  const shape = pageShape(runner.catalogue, access, query)
  if (shape.keyPlaces.length === 0) return counted(runner, access, query, columns, run)
  const cut = cutOf(query, columns)
  const cutShape = runner.stopsAtBytes
    ? shape
    : pageShape(runner.catalogue, access, { ...query, cut })
  const part = await following(runner, cutShape, query, columns, run)
  if (part.rows > 0 || !part.next) return part
  // The next row is a long one, or the last one is, which is read with it.
  return following(runner, shape, { ...query, size: 1 }, columns, run)
}

/** Rows after a place, found by their keys. */
async function following(
  runner: QueryRunner,
  shape: PageShape,
  query: CsvQuery,
  columns: readonly Column[],
  run?: Run,
): Promise<CsvPart> {
  const anchor = query.place.at === 'after' ? query.place.anchor : undefined
  // The part before ended at the anchor's row, which comes first if it is still there.
  const limit = anchor ? query.size + 1 : query.size
  const start = { backwards: false, ...(anchor && { anchor }) }
  const question = startQuestion(runner, shape, start, limit)
  const answer = await runner.readLines(question, { columns, bytes: query.bytes }, run)
  const { ends, count, pieces, firstLength, isFull, isServed: indexed } = answer
  const isRepeated = anchor && ends && isAtAnchor(shape, ends.first, anchor)
  return {
    pieces: isRepeated ? withoutStart(pieces, firstLength) : pieces,
    rows: isRepeated ? count - 1 : count,
    ...((isFull || count === limit) && { next: ends ? placeAfter(shape, ends) : query.place }),
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
  columns: readonly Column[],
  run?: Run,
): Promise<CsvPart> {
  const skipped = query.place.at === 'offset' ? query.place.skip : 0
  const place = { at: 'offset', skip: skipped } as const
  const read = (more: Pick<PageQuery, 'size' | 'cut'>) =>
    readPage(runner, access, { ...query, place, ...more }, run)
  let page = await read({ size: query.size, cut: cutOf(query, columns) })
  if (page.rows[0]?.lengths) page = await read({ size: 1 })
  const whole = before(page.rows, ({ lengths }) => lengths !== undefined)
  const values = whole.map((row) => row.values)
  const { pieces, count } = csvLines(values, columns)
  const next = { at: 'offset', skip: skipped + count } as const
  const isMore = page.after || whole.length < page.rows.length
  return { pieces, rows: count, ...(isMore && { next }), indexed: page.indexed }
}

/** The rows before the first one that is `last`. */
function before<Row>(rows: readonly Row[], isLast: (row: Row) => boolean): readonly Row[] {
  const end = rows.findIndex(isLast)
  return end < 0 ? rows : rows.slice(0, end)
}

/** Texts of up to so many characters need no limit. */
const SHORT = 1000

/**
 * What to cut where an engine cannot stop at a limit of bytes: a row with a longer value ends the part
 * before it, and is then read by itself. So a part has no more than four times its bytes of each column,
 * or `SHORT` for each of its rows. Values of the key and of the order are not limited.
 */
const cutOf = (
  { columns: names, size, bytes }: CsvQuery,
  columns: readonly Column[],
): NonNullable<PageQuery['cut']> => ({
  columns: names.filter((_, i) => isLong(columns[i])),
  length: Math.max(SHORT, Math.floor((4 * bytes) / size)),
})

const isLong = (column: Column | undefined): boolean =>
  column !== undefined &&
  (column.type === 'text' || column.type === 'binary' || column.type === 'json') &&
  !column.array &&
  !column.allowed &&
  (column.maxLength ?? Infinity) > SHORT

/** For engines whose answers come as rows. */
export async function linesByRows(
  runner: EngineRunner,
  ...[question, { columns }, run]: Parameters<QueryRunner['readLines']>
): Promise<LinesAnswer> {
  const { rows, isServed } = await runner.read(question, run)
  // Behind the columns are the lengths of values that are cut.
  const whole = before(rows, (row) => row.slice(question.cells.length).some((one) => one !== null))
  const [first, last] = [whole[0], whole.at(-1)]
  const lines = csvLines(whole, columns)
  const isFull = whole.length < rows.length
  // Drivers chain their queries, and through what is left of the last one all rows would stay until a
  // full collection: without this, an export takes three times the memory.
  rows.length = 0
  return { ...lines, isFull, ...(first && last && { ends: { first, last } }), isServed }
}
