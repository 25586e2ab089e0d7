/**
 * Exports rows as CSV, chunk by chunk along the list's order, so that memory stays small however many
 * rows there are.
 *
 * Each chunk is a statement of its own. A row that neither changes its place in the order nor begins or
 * ceases to match while the export runs is in the file exactly once; of the others nothing is promised.
 */

import type { Clock } from '../filters/filter.ts'
import type { Selected } from '../../protocol/selection.ts'
import { isNone } from '../../protocol/selection.ts'
import type { OpenTable } from '../catalog.ts'
import { readableColumns, shownColumns } from '../list/concerns/columns.ts'
import type { ListState } from '../list/concerns.ts'
import type { ListFold } from '../list/fold.ts'
import { assertBulkActions, checkSelected, selectedPredicate } from '../selection.ts'
import type { PageRow, Place, RowPage, RowQuery, RowSource } from '../source/row-source.ts'
import { BYTE_ORDER_MARK, cellWriter, csvHead, csvLine } from './csv.ts'

/** What to export of a listing: the selected rows, or if none are, all that match. */
export type Export = {
  readonly open: OpenTable
  readonly state: ListState
  readonly selected: Selected
  /** The columns that are shown, or all that may be read. */
  readonly columns: 'shown' | 'all'
  /** When and where it is asked for. */
  readonly clock: Clock
}

/** How an export reads; `signal` ends it. */
type Reading = { readonly source: RowSource; readonly signal: AbortSignal }

/** Rows of the first chunk, which the first byte waits for. */
const FIRST_ROWS = 500
/** Most rows and characters of a chunk. Without an index, each chunk sorts all rows again. */
const CHUNKS = {
  indexed: { rows: 8000, characters: 2 ** 20 },
  sorted: { rows: 50_000, characters: 8 * 2 ** 20 },
}
/** Longest time that one chunk may take, ms. */
const CHUNK_TIMEOUT_MS = 30_000

/**
 * The columns and rows to export, by the actor's rights. Throws `TABLE_NO_SELECTION` and
 * `TABLE_BAD_KEY`.
 */
export function exportQuery(
  fold: ListFold,
  { open, state: given, selected, columns, clock }: Export,
) {
  assertBulkActions(open)
  const checked = checkSelected(selected, open)
  const state = fold.presented(open, given)
  const wanted = columns === 'all' ? readableColumns(open) : shownColumns(open, state)
  const { sort, where } = fold.pageQuery(open, state, null, clock)
  // A masked column can be shown in some rows, but never leaves the server in bulk.
  const exported = wanted.filter(({ name }) => open.access.canRead(name))
  const rows = isNone(checked) ? [] : [selectedPredicate(checked, open)]
  const query: RowQuery = {
    columns: exported.map(({ name }) => name),
    where: rows.length === 0 ? where : { op: 'and', all: [where, ...rows] },
    sort,
  }
  return { columns: exported, query }
}

/** The file in pieces. Reads one chunk ahead of what is asked for, and no more. */
export async function* exportCsv(
  fold: ListFold,
  wanted: Export,
  reading: Reading,
): AsyncGenerator<string> {
  const { open } = wanted
  const { columns, query } = exportQuery(fold, wanted)
  const stored = new Map(open.access.table.columns.map((column) => [column.name, column]))
  const writers = columns.flatMap(({ name }) => {
    const column = stored.get(name)
    return column ? [cellWriter(column)] : []
  })
  const write = ({ values }: PageRow) =>
    csvLine(writers.map((writer, at) => writer(values[at] ?? null)))
  let head = BYTE_ORDER_MARK + csvHead(columns.map(({ label }) => label))
  let [rows, length] = [0, 0]
  const read = (place: Place, size: number) =>
    reading.source.page(
      open.access,
      { ...query, size, place },
      { signal: reading.signal, timeoutMs: CHUNK_TIMEOUT_MS },
    )
  let next: Promise<RowPage> | undefined = read({ at: 'first' }, FIRST_ROWS)
  while (next) {
    const page: RowPage = await next
    const text = page.rows.map(write).join('')
    rows += page.rows.length
    length += text.length
    next = page.after ? read(placeAfter(page, rows, open), sizeOf(page, length / rows)) : undefined
    // Whoever waits for it is told; until then, a failure is not unhandled.
    next?.catch(() => undefined)
    yield head + text
    head = ''
  }
}

/** Rows of the next chunk, by the average length of those so far. */
function sizeOf({ indexed }: RowPage, average: number): number {
  const { rows, characters } = indexed ? CHUNKS.indexed : CHUNKS.sorted
  return Math.max(1, Math.min(rows, Math.floor(characters / Math.max(1, average))))
}

/** Rows without a key can only be counted off. */
function placeAfter({ rows }: RowPage, passed: number, { access }: OpenTable): Place {
  const last = rows.at(-1)
  if (!last || access.table.key.length === 0) return { at: 'offset', skip: passed }
  return { at: 'after', anchor: { sort: last.sort, key: last.key } }
}
