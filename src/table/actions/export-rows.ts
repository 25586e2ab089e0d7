/**
 * Exports rows as a file, chunk by chunk along the list's order, so that memory stays small however many
 * rows there are.
 *
 * Each chunk is a statement of its own, and each row is as it was when it was read. A row that keeps its
 * place in the order while the export runs is in the file at most once; one that moves can be there twice.
 */

import { messagesFor } from '../../messages/messages.ts'
import { type ExportChoice, SHEET_ROWS } from '../../protocol/export.ts'
import type { Selected } from '../../protocol/selection.ts'
import { isNone } from '../../protocol/selection.ts'
import { zip } from '../../server/zip.ts'
import type { OpenTable } from '../catalog.ts'
import { minorCurrency } from '../definition/currency.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Clock } from '../filters/filter.ts'
import { readableColumns, shownColumns } from '../list/concerns/columns.ts'
import type { Ready } from '../list/concern.ts'
import type { ListState } from '../list/concerns.ts'
import type { ListFold } from '../list/fold.ts'
import { assertBulkActions, checkSelected, selectedPredicate } from '../selection.ts'
import { BYTE_ORDER_MARK, csvHead } from '../source/csv.ts'
import type {
  LinesNames,
  LinesPart,
  LinesPlace,
  LinesQuery,
  RowQuery,
  RowSource,
} from '../source/row-source.ts'
import { isUniqueColumn } from '../source/schema.ts'
import { type SheetPart, type Workbook, workbookFiles } from './xlsx-file.ts'

/** What to export of a listing: the selected rows, or if none are, all that match. */
export type Export = ExportChoice & {
  readonly open: Ready
  readonly state: ListState
  readonly selected: Selected
  /** When and where it is asked for. */
  readonly clock: Clock
  /** Of the head. */
  readonly language: string
}

/** How an export reads; `signal` ends it. */
type Reading = { readonly source: Pick<RowSource, 'lines'>; readonly signal: AbortSignal }

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
/** About how many times as long as in CSV a line is: a chunk has as many rows, while it has at most so many bytes. */
const LENGTHS = { csv: 1, json: 2, xlsx: 5 }
/** In any format; two chunks are there at a time. */
const MOST_BYTES = 12 * 2 ** 20
/** Longest time that one chunk may take, ms. */
const CHUNK_TIMEOUT_MS = 30_000
/** Bytes of a sheet after which another one begins: a file in an archive has 4 GB at most. */
const SHEET_BYTES = 2 ** 31

/** A column of the file, as its head and its width need it. */
type Head = Workbook['columns'][number]

/**
 * The columns and rows to export, by the actor's rights. Throws `TABLE_NO_SELECTION` and
 * `TABLE_BAD_KEY`.
 */
export function exportQuery(
  fold: ListFold,
  { open, state: given, selected, columns, clock, ...choice }: Export,
): { readonly heads: Head[]; readonly query: RowQuery & Pick<LinesQuery, 'format' | 'named'> } {
  assertBulkActions(open)
  const checked = checkSelected(selected, open)
  const state = fold.presented(open, given)
  const wanted = columns === 'all' ? readableColumns(open) : shownColumns(open, state)
  const { sort, where } = fold.pageQuery(open, state, null, fold.where(open, state, clock))
  // A masked column can be shown in some rows, but never leaves the server in bulk.
  const exported = wanted.filter(({ name }) => open.access.canRead(name))
  const rows = isNone(checked) ? [] : [selectedPredicate(checked, open)]
  const named = choice.references === 'keys' ? undefined : namesOf(exported, open, choice)
  return {
    heads: headsOf(exported, isNamedIn(named), { open, ...choice }),
    query: {
      format: choice.format,
      columns: exported.map(({ name }) => name),
      ...(named && { named: { ...named, keepsKeys: choice.references === 'both' } }),
      where: rows.length === 0 ? where : { op: 'and', all: [where, ...rows] },
      sort,
    },
  }
}

type Names = Omit<LinesNames, 'keepsKeys'>

/**
 * What names the rows that columns refer to, where each refers to one row, and is not named by that itself; the names
 * of values; and amounts in their currency, but in JSON, whose names are those of what is stored.
 */
const namesOf = (
  columns: readonly ColumnDefinition[],
  { relations }: OpenTable,
  { format }: Pick<Choice, 'format'>,
): Names => ({
  by: columns.flatMap(({ name: column }) => {
    const relation = relations.get(column)
    const isOne =
      relation &&
      relation.label !== relation.references &&
      isUniqueColumn(relation.references, relation.access.table)
    return isOne ? { column, ...relation } : []
  }),
  values: new Map(columns.flatMap(({ name, values }) => (values ? [[name, values]] : []))),
  minorDigits: new Map(
    (format === 'json' ? [] : columns).flatMap((column) => {
      const minor = minorCurrency(column)
      return minor ? [[column.name, minor.digits]] : []
    }),
  ),
})

const isNamedIn =
  (names: Names | undefined) =>
  (name: string): boolean =>
    names !== undefined &&
    (names.values.has(name) ||
      names.minorDigits.has(name) ||
      names.by.some(({ column }) => column === name))

type Choice = Pick<Export, 'open' | 'format' | 'references' | 'language'>

function headsOf(
  columns: readonly ColumnDefinition[],
  isNamed: (column: string) => boolean,
  { open, format, references, language }: Choice,
): Head[] {
  const { exported: words } = messagesFor(language)
  return columns.flatMap((definition): Head[] => {
    const { name, label, minorUnit = '' } = definition
    const minor = minorCurrency(definition)
    const column = open.access.table.columns.find((one) => one.name === name)
    const isInUtc = format === 'xlsx' && column?.type === 'datetime' && column.zoned === true
    const own: Head = {
      label: isInUtc ? words.inUtc(label) : minor ? words.inUnit(label, minorUnit) : label,
      type: column?.type ?? 'text',
    }
    if (!isNamed(name)) return [own]
    if (minor) {
      const amount: Head = { label: words.inUnit(label, minor.code), type: 'decimal' }
      return references === 'both' ? [own, amount] : [amount]
    }
    const other = (label: string): Head => ({ label, type: 'text' })
    return references === 'both' ? [own, other(words.nameOf(label))] : [other(label)]
  })
}

/** The file in pieces. Reads one chunk ahead of what is asked for, and no more. */
export function exportRows(
  fold: ListFold,
  wanted: Export,
  reading: Reading,
): AsyncGenerator<Uint8Array> {
  const { heads, query } = exportQuery(fold, wanted)
  const parts = partsOf(wanted.open, query, reading)
  const around = (start: string, end = '') => surrounded(Buffer.from(start), parts, end)
  switch (wanted.format) {
    case 'csv':
      return around(BYTE_ORDER_MARK + csvHead(heads.map(({ label }) => label)))
    case 'json':
      return around('[\n', '\n]\n')
    case 'xlsx':
      return zip(workbookFiles({ name: wanted.open.definition.label, columns: heads }, parts))
  }
}

/** The start comes with the first part only, so that nothing has been sent if no rows can be read. */
async function* surrounded(
  start: Uint8Array,
  parts: AsyncGenerator<SheetPart, void>,
  end: string,
): AsyncGenerator<Uint8Array> {
  let part = await parts.next()
  yield start
  for (; !part.done; part = await parts.next()) yield* part.value.pieces
  if (end !== '') yield Buffer.from(end)
}

/** The rows in parts. Where sheets are limited, a part begins another one as soon as one is full. */
async function* partsOf(
  { access }: OpenTable,
  query: ReturnType<typeof exportQuery>['query'],
  { source, signal }: Reading,
): AsyncGenerator<SheetPart, void> {
  const isSheet = query.format === 'xlsx'
  const read = (limits: Pick<LinesQuery, 'size' | 'bytes' | 'place' | 'first'>) =>
    source.lines(access, { ...query, ...limits }, { signal, timeoutMs: CHUNK_TIMEOUT_MS })
  let [rows, length] = [0, 0]
  let sheet = { rows: 0, bytes: 0 }
  let isFirst = true
  const next = (part: LinesPart, place: LinesPlace) => {
    const limits = limitsOf(part, length / Math.max(1, rows), LENGTHS[query.format])
    const size = isSheet ? Math.min(limits.size, SHEET_ROWS - sheet.rows) : limits.size
    return read({ ...limits, size, place, first: sheet.rows })
  }
  let coming: Promise<LinesPart> | undefined = read({ ...FIRST, place: { at: 'first' }, first: 0 })
  while (coming) {
    const part: LinesPart = await coming
    const bytes = part.pieces.reduce((sum, piece) => sum + piece.length, 0)
    rows += part.rows
    length += bytes
    sheet = { rows: sheet.rows + part.rows, bytes: sheet.bytes + bytes }
    const isFull = isSheet && (sheet.rows >= SHEET_ROWS || sheet.bytes >= SHEET_BYTES)
    if (isFull) sheet = { rows: 0, bytes: 0 }
    coming = part.next && next(part, part.next)
    // Awaited later; until then, a failure must not count as unhandled.
    coming?.catch(() => undefined)
    if (part.rows === 0) continue
    yield { pieces: part.pieces, isFirst }
    isFirst = isFull
  }
}

/** The next chunk: as many rows as should fit, by the average length of those so far. */
function limitsOf(
  { indexed }: LinesPart,
  average: number,
  times: number,
): Pick<LinesQuery, 'size' | 'bytes'> {
  const { rows, bytes } = indexed ? CHUNKS.indexed : CHUNKS.sorted
  const wanted = Math.min(times * bytes, MOST_BYTES)
  const size = Math.max(1, Math.min(rows, Math.floor(wanted / Math.max(1, average))))
  return { size, bytes: 2 * wanted }
}
