/** Where a search has found the rows of a page: in which cells, and what of them is out of sight. */

import { messagesFor } from '../../messages/messages.ts'
import { type FoundAway, type Row, type RowFound, SAME_AS_KEY } from '../../protocol/table-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable, Relation } from '../catalog.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import { formatterFor } from '../format.ts'
import { cutColumns, drawRows, textOf } from '../list/rows.ts'
import { rowsPredicate } from '../selection.ts'
import type { Predicate } from '../source/predicate.ts'
import type { PageQuery, PageRow, RowPage, RowSource, Run } from '../source/row-source.ts'
import type { Value } from '../source/value.ts'
import { excerptOf, type Looked, marksIn, type Sought, soughtIn } from './marks.ts'
import { relatedColumns, type SearchedColumn, searchedColumns } from './predicate.ts'

/** Most characters of a value out of sight that are looked through. */
const READ_MAX = 20_000
/** Longest time for what is out of sight, ms: rows do not wait for it. */
const TIMEOUT_MS = 700
/** Key and name of a row come before its cells. */
const BEFORE_CELLS = 2

export type FoundIn = {
  readonly open: OpenTable
  readonly source: RowSource
  /** The shown columns, in order. */
  readonly columns: readonly ColumnDefinition[]
  readonly page: RowPage
  readonly reader: Reader
  readonly run: Run
}

/** A row of the page, and what of the search no cell of it shows. */
type Missing = { readonly row: PageRow; terms: readonly Sought[]; readonly away: FoundAway[] }

/**
 * What to mark in each row of the page. Cells are looked through as they are shown; values that are not
 * shown, or were cut, are read only for rows of which some term is in no cell. If that takes too long, the
 * rows come without it.
 */
export async function foundIn(search: string, given: FoundIn): Promise<RowFound[]> {
  const { open, columns, page, reader } = given
  const sought = soughtIn(search, reader.locale)
  const { rows } = drawRows({ page, open, columns, list: '' }, formatterFor(reader))
  const shown = rows.map((row, at) => inCells(sought, row, page.rows[at], given))
  const missing = shown.flatMap(({ terms, away }, at): Missing[] => {
    const row = page.rows[at]
    return row && row.key.length > 0 && terms.length > 0 ? [{ row, terms, away }] : []
  })
  if (missing.length > 0) await findAway(missing, given).catch(orWithout)
  return shown.map(({ cells, away }) => (away.length > 0 ? { cells, away } : { cells }))
}

/** Rows need not wait for where they were found. */
function orWithout(error: unknown): void {
  if (!(error instanceof AppError && ['QUERY_TIMEOUT', 'BUSY'].includes(error.code))) throw error
}

function inCells(
  sought: readonly Sought[],
  drawn: Row,
  row: PageRow | undefined,
  { open, columns, reader }: FoundIn,
) {
  const searched = new Map(searchedColumns(open).map((one) => [one.column.name, one]))
  const cells: RowFound['cells'] = {}
  const held = new Set<Sought>()
  for (const [place, { name }] of columns.entries()) {
    const one = searched.get(name)
    if (!one || row?.masked?.has(place)) continue
    const column = open.relations.has(name) ? null : one.column
    const value = row?.values[place] ?? null
    const cell = drawn[place + BEFORE_CELLS] ?? null
    const text = cell === SAME_AS_KEY ? drawn[0] : textOf(cell)
    const { definition } = one
    const marks = marksIn(sought, { text, value, column, definition }, reader.locale, held)
    if (marks.length > 0) cells[place] = marks
  }
  const terms = sought.flatMap((term) => lackingOf(term, held))
  const away: FoundAway[] = []
  return { cells, terms, away }
}

/** What is missing of a term: itself, or those of its words that are, if some were found apart. */
function lackingOf(term: Sought, held: ReadonlySet<Sought>): readonly Sought[] {
  if (held.has(term)) return []
  const left = term.parts.filter((part) => !held.has(part))
  return left.length < term.parts.length ? left : [term]
}

/** A column whose values are related rows. */
type RelatedColumn = SearchedColumn & { readonly relation: Relation; readonly place: number }

async function findAway(missing: readonly Missing[], given: FoundIn): Promise<void> {
  const { open, columns } = given
  const shown = new Set(columns.map(({ name }) => name))
  const cut = new Set(cutColumns(columns, open))
  const read = searchedColumns(open).filter(
    ({ column: { name } }) => open.relations.has(name) || !shown.has(name) || cut.has(name),
  )
  if (read.length === 0) return
  const where = rowsPredicate(
    missing.map(({ row }) => row.key),
    open,
  )
  const rows = await readRows(open, where, read, missing.length, given)
  const byKey = new Map(rows.map((row) => [open.keys.name(row.key), row]))
  const related: RelatedColumn[] = []
  for (const [place, one] of read.entries()) {
    const relation = open.relations.get(one.column.name)
    if (relation) related.push({ ...one, relation, place })
    for (const each of relation ? [] : missing)
      inValue(each, byKey.get(open.keys.name(each.row.key)), place, one, given)
  }
  for (const one of related) {
    const valueOf = ({ row }: Missing) =>
      byKey.get(open.keys.name(row.key))?.values[one.place] ?? null
    await inRelated(one, missing, valueOf, given)
  }
}

/** Rows of a table with the beginnings of these columns. */
async function readRows(
  open: OpenTable,
  where: Predicate,
  read: readonly SearchedColumn[],
  size: number,
  { source, run }: FoundIn,
): Promise<readonly PageRow[]> {
  const definitions = read.map(({ definition }) => definition)
  const query: PageQuery = {
    columns: read.map(({ column: { name } }) => name),
    where,
    sort: [],
    size,
    place: { at: 'first' },
    cut: { columns: cutColumns(definitions, open), length: READ_MAX },
  }
  return (await source.page(open.access, query, { ...run, timeoutMs: TIMEOUT_MS })).rows
}

function inValue(
  one: Missing,
  row: PageRow | undefined,
  place: number,
  { column, definition }: SearchedColumn,
  { reader }: FoundIn,
): void {
  const value = row?.values[place] ?? null
  if (value === null || row?.masked?.has(place)) return
  const text =
    typeof value === 'string' && column.type === 'text' && !definition.values
      ? value
      : textOf(formatterFor(reader).cell(definition, value, row?.lengths?.get(place)))
  noteAway(one, { text, value, column, definition }, reader)
}

/** Notes what a value out of sight holds of that which is missing. */
function noteAway(one: Missing, looked: Looked, { locale, language }: Reader): void {
  const held = new Set<Sought>()
  const marks = marksIn(one.terms, looked, locale, held)
  if (marks.length === 0) return
  one.terms = one.terms.flatMap((term) => lackingOf(term, held))
  const where = messagesFor(language).found.inColumn(looked.definition.label)
  one.away.push({ where, ...excerptOf(looked.text, marks) })
}

/** Looks into the texts of the rows that a column refers to, of which a cell shows the label alone. */
async function inRelated(
  { definition, relation: { access, references, ...naming } }: RelatedColumn,
  missing: readonly Missing[],
  valueOf: (one: Missing) => Value,
  given: FoundIn,
): Promise<void> {
  const other = given.open.others.find(access.table.name)
  const left = missing.filter((one) => one.terms.length > 0 && valueOf(one) !== null)
  if (!other || left.length === 0) return
  const texts = relatedColumns({ access, references, ...naming }, given.open)
  const read = [references, ...texts].flatMap((name) => {
    const column = access.table.columns.find((column) => column.name === name)
    const definition = other.definition.columns.get(name)
    return column && definition ? [{ column, definition }] : []
  })
  const values = [...new Map(left.map((one) => [String(valueOf(one)), valueOf(one)])).values()]
  const where = { op: 'in', column: references, values } as const
  const rows = await readRows({ ...other, access }, where, read, values.length, given)
  const byReference = new Map(rows.map((row) => [String(row.values[0]), row]))
  for (const one of left) {
    const row = byReference.get(String(valueOf(one)))
    for (const at of texts.keys()) {
      const text = row?.values[at + 1]
      if (typeof text === 'string' && !row?.masked?.has(at + 1))
        noteAway(one, { text, value: text, column: null, definition }, given.reader)
    }
  }
}
