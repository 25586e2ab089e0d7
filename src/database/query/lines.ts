/** Reads part of a file: rows after a place in the order, as lines of its format. */

import type { Access } from '../../table/source/access.ts'
import { type CellPart, type FileColumn, writeLines } from '../../table/source/lines.ts'
import type {
  LinesPart,
  LinesPlace,
  LinesQuery,
  PageQuery,
  Run,
} from '../../table/source/row-source.ts'
import type { Column } from '../../table/source/schema.ts'
import type { EngineRunner, LinesAnswer, QueryRunner } from '../query-runner.ts'
import { readPage } from './page.ts'
import { isAtAnchor } from './page-rows.ts'
import { labelParts, pageShape, type PageShape } from './page-sql.ts'
import { startQuestion } from './question.ts'
import { readableColumn, type Scope, tableOf } from './scope.ts'

export async function readLines(
  runner: QueryRunner,
  access: Access,
  query: LinesQuery,
  run?: Run,
): Promise<LinesPart> {
  const of = tableOf(runner.catalogue, access)
  const columns = query.columns.map((column) => readableColumn({ of, access }, column))
  const shape = pageShape(runner.catalogue, access, shapeQuery(query))
  if (shape.keyPlaces.length === 0) return counted(runner, access, query, columns, run)
  const cut = cutOf(query, columns)
  const cutShape = runner.stopsAtBytes
    ? shape
    : pageShape(runner.catalogue, access, { ...shapeQuery(query), cut })
  const part = await following(runner, cutShape, query, run)
  if (part.rows > 0 || !part.next) return part
  // The next row is a long one, or the last one is, which is read with it.
  return following(runner, shape, { ...query, size: 1 }, run)
}

const shapeQuery = ({ named, ...query }: LinesQuery) => ({ ...query, names: named?.by ?? [] })

/** Rows after a place, found by their keys; `isGone`: the row at that place is not there any more. */
async function following(
  runner: QueryRunner,
  shape: PageShape,
  query: LinesQuery,
  run?: Run,
  isGone = false,
): Promise<LinesPart> {
  const { size, place, first = 0, format, bytes } = query
  const anchor = place.at === 'after' ? place.anchor : undefined
  // The part before ended at the anchor's row, which comes first if it is still there.
  const before = anchor && !isGone ? 1 : 0
  const limit = size + before
  const start = { backwards: false, ...(anchor && { anchor }) }
  const question = startQuestion(runner, shape, start, limit)
  const columns = fileColumns(runner, shape, query)
  const wanted = { format, columns, first: first - before, bytes }
  const answer = await runner.readLines(question, wanted, run)
  const { ends, count, pieces, firstLength, isFull, isServed: indexed } = answer
  const isRepeated = anchor && ends && isAtAnchor(shape, ends.first, anchor)
  // There is a row too many, and all lines have the number of the one before.
  if (before === 1 && count > 0 && !isRepeated) return following(runner, shape, query, run, true)
  return {
    pieces: isRepeated ? withoutStart(pieces, firstLength) : pieces,
    rows: isRepeated ? count - 1 : count,
    ...((isFull || count === limit) && { next: ends ? placeAfter(shape, ends) : place }),
    indexed,
  }
}

/** The columns of the file: those that are asked for, and what names the rows that they refer to. */
function fileColumns(
  { catalogue }: QueryRunner,
  { access, query: { columns } }: Pick<PageShape, 'access' | 'query'>,
  { named }: Pick<LinesQuery, 'named'>,
): FileColumn[] {
  const of = tableOf(catalogue, access)
  let place = columns.length
  const names = new Map(
    named?.by.map((relation) => {
      const other = { of: tableOf(catalogue, relation.access), access: relation.access }
      const [first, ...more] = labelParts(relation).map((name) => partOf(other, name, place++))
      return [relation.column, first && ([first, ...more] as const)]
    }),
  )
  return columns.flatMap((name, at): FileColumn[] => {
    const own = partOf({ of, access }, name, at)
    const valueNames = named?.values.get(name)
    const minorDigits = named?.minorDigits.get(name)
    const parts = valueNames
      ? ([{ ...own, names: valueNames }] as const)
      : minorDigits === undefined
        ? names.get(name)
        : ([{ ...own, minorDigits }] as const)
    if (!parts) return [{ name, parts: [own] }]
    return named?.keepsKeys
      ? [
          { name, parts: [own] },
          { name: freeName(`${name}.name`, columns), parts },
        ]
      : [{ name, parts, otherwise: own }]
  })
}

/** An object has each name once. */
const freeName = (name: string, taken: readonly string[]): string =>
  taken.includes(name) ? freeName(`${name}_`, taken) : name

/** Plain data alone: it may go to another thread. */
function partOf(scope: Pick<Scope, 'of' | 'access'>, name: string, at: number): CellPart {
  const { type, isPadded = false, zoned = false, scale } = readableColumn(scope, name)
  const isJudged = scope.access.judges(name)
  return { at, type, isPadded, zoned, isJudged, ...(scale !== undefined && { scale }) }
}

const withoutStart = ([first, ...others]: readonly Uint8Array[], length: number): Uint8Array[] =>
  first ? [first.subarray(length), ...others] : others

const placeAfter = (
  { keyPlaces, sortPlaces }: PageShape,
  { last }: NonNullable<LinesAnswer['ends']>,
): LinesPlace => ({
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
  query: LinesQuery,
  columns: readonly Column[],
  run?: Run,
): Promise<LinesPart> {
  const skipped = query.place.at === 'offset' ? query.place.skip : 0
  const place = { at: 'offset', skip: skipped } as const
  const related = query.named?.by ?? []
  const read = (more: Pick<PageQuery, 'size' | 'cut'>) =>
    readPage(runner, access, { ...query, related, place, ...more }, run)
  let page = await read({ size: query.size, cut: cutOf(query, columns) })
  if (page.rows[0]?.lengths) page = await read({ size: 1 })
  const whole = before(page.rows, ({ lengths }) => lengths !== undefined)
  // The names have been put together already.
  const values = whole.map(({ values, labels }) => [
    ...values,
    ...labels.flatMap((label, at) => [label ?? null, ...(related[at]?.more ?? []).map(() => null)]),
  ])
  const shape = { access, query: { ...query, place, size: 1 } }
  const { format, first = 0 } = query
  const columnsOf = fileColumns(runner, shape, query)
  const { pieces, count } = writeLines(values, { format, columns: columnsOf, first })
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
  { columns: names, size, bytes }: LinesQuery,
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
  ...[question, wanted, run]: Parameters<QueryRunner['readLines']>
): Promise<LinesAnswer> {
  const { rows, isServed } = await runner.read(question, run)
  // Behind the columns are the lengths of values that are cut.
  const whole = before(rows, (row) => row.slice(question.cells.length).some((one) => one !== null))
  const [first, last] = [whole[0], whole.at(-1)]
  const lines = writeLines(whole, wanted)
  const isFull = whole.length < rows.length
  // Drivers chain their queries, and through what is left of the last one all rows would stay until a
  // full collection: without this, an export takes three times the memory.
  rows.length = 0
  return { ...lines, isFull, ...(first && last && { ends: { first, last } }), isServed }
}
