/**
 * Exports rows as CSV, chunk by chunk along the list's order, so that memory stays small however many
 * rows there are.
 *
 * Each chunk is a statement of its own, and each row is as it was when it was read. A row that keeps its
 * place in the order while the export runs is in the file at most once; one that moves can be there twice.
 */

import type { Clock } from '../filters/filter.ts'
import type { Selected } from '../../protocol/selection.ts'
import { isNone } from '../../protocol/selection.ts'
import type { OpenTable } from '../catalog.ts'
import { readableColumns, shownColumns } from '../list/concerns/columns.ts'
import type { ListState } from '../list/concerns.ts'
import type { ListFold } from '../list/fold.ts'
import { assertBulkActions, checkSelected, selectedPredicate } from '../selection.ts'
import type { CsvPart, CsvPlace, CsvQuery, RowQuery, RowSource } from '../source/row-source.ts'
import { BYTE_ORDER_MARK, csvHead } from '../source/csv.ts'

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
type Reading = { readonly source: Pick<RowSource, 'csv'>; readonly signal: AbortSignal }

/**
 * Most rows of a chunk, and the bytes that it should have by the average length of the rows so far.
 * Small ones keep memory small, and others wait for little; but without an index, each chunk sorts all
 * rows again.
 *
 * Where rows are longer than expected, SQLite stops at the row with which a chunk has twice these bytes. Rows
 * that an index orders are read all at once until a value has more than 1000 bytes.
 * On the servers, and in views without a key, long values are read row by row, see `cutOf`; values of
 * the key and of the order are not limited there. One row is always read whole.
 */
const CHUNKS = {
  indexed: { rows: 8000, bytes: 2 ** 17 },
  sorted: { rows: 50_000, bytes: 8 * 2 ** 20 },
}
/** The first chunk, which the first byte waits for: nobody knows yet how long its rows are. */
const FIRST = { size: 100, bytes: CHUNKS.indexed.bytes }
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
  const { sort, where } = fold.pageQuery(open, state, null, fold.where(open, state, clock))
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

/** The file in pieces, in UTF-8. Reads one chunk ahead of what is asked for, and no more. */
export async function* exportCsv(
  fold: ListFold,
  wanted: Export,
  { source, signal }: Reading,
): AsyncGenerator<Uint8Array> {
  const { access } = wanted.open
  const { columns, query } = exportQuery(fold, wanted)
  const read = (place: CsvPlace, limits: Pick<CsvQuery, 'size' | 'bytes'>) =>
    source.csv(access, { ...query, ...limits, place }, { signal, timeoutMs: CHUNK_TIMEOUT_MS })
  const head = Buffer.from(BYTE_ORDER_MARK + csvHead(columns.map(({ label }) => label)))
  let [isBegun, rows, length] = [false, 0, 0]
  let coming: Promise<CsvPart> | undefined = read({ at: 'first' }, FIRST)
  while (coming) {
    const part: CsvPart = await coming
    rows += part.rows
    length += part.pieces.reduce((sum, piece) => sum + piece.length, 0)
    coming = part.next && read(part.next, limitsOf(part, length / Math.max(1, rows)))
    // Awaited later; until then, a failure must not count as unhandled.
    coming?.catch(() => undefined)
    // Only now, so that nothing has been sent if no rows can be read.
    if (!isBegun) yield head
    isBegun = true
    yield* part.pieces
  }
}

/** The next chunk: as many rows as should fit, by the average length of those so far. */
function limitsOf({ indexed }: CsvPart, average: number): Pick<CsvQuery, 'size' | 'bytes'> {
  const { rows, bytes } = indexed ? CHUNKS.indexed : CHUNKS.sorted
  const size = Math.max(1, Math.min(rows, Math.floor(bytes / Math.max(1, average))))
  return { size, bytes: 2 * bytes }
}
