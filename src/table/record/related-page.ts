/** The first rows that refer to one row by a foreign key, as a few columns show them, and how many there are. */

import { messagesFor } from '../../messages/messages.ts'
import type { RelatedPage, RelatedView } from '../../protocol/record-view.ts'
import type { Total } from '../../protocol/table-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import { formatterFor } from '../format.ts'
import { shownColumns } from '../list/concerns/columns.ts'
import { LISTING } from '../list/fold.ts'
import { drawRows } from '../list/rows.ts'
import { isNamedByRows } from '../references.ts'
import type { Count, RowPage, RowSource } from '../source/row-source.ts'
import { countUpTo, eachInTime, listed, type RelatedRows } from './related.ts'

/** Rows that are shown; beyond them, the listing has all. */
const SHOWN = 5

/** What was found of some related rows: `null` for what was not found in time. */
export type FoundRelated = {
  readonly count: Count | null
  /** `undefined` where the table has no column that would tell its rows apart. */
  readonly page: RowPage | null | undefined
}

/** What of each table is found within `maxWaitMs`. */
export function readRelated(
  source: RowSource,
  related: readonly RelatedRows[],
  signal: AbortSignal,
  maxWaitMs: number,
): Promise<FoundRelated[]> {
  const none = { count: null, page: null }
  return eachInTime<FoundRelated>(related, none, { signal, maxWaitMs }, async (all, run) => {
    const one = listed(all)
    const state = stateOf(one)
    const query = { ...LISTING.pageQuery(one.open, state, null, one.where), size: SHOWN + 1 }
    const page =
      query.columns.length === 0
        ? undefined
        : await source.page(one.open.access, query, run).catch(() => null)
    if (page && page.rows.length <= SHOWN)
      return { count: { kind: 'exact', count: page.rows.length }, page }
    return { count: run.signal?.aborted ? null : await countUpTo(source, one, run), page }
  })
}

type Drawn = {
  readonly related: readonly RelatedRows[]
  readonly found: readonly FoundRelated[]
  /** Whether what is missing may still come. */
  readonly isPartial: boolean
  readonly self: string
  readonly href: (table: string) => string
  readonly reader: Reader
}

/**
 * The related rows of each table: the link to all of them, how many there are, and the first ones; several
 * links to one table also name the column.
 */
export function drawRelated(drawn: Drawn): RelatedView[] {
  const { related, found, isPartial, self, href, reader } = drawn
  return related.map((one, place) => {
    const { table } = one.open.definition
    const { filterComponents } = listed(one)
    const { count = null, page } = found[place] ?? {}
    const first = page && drawPage(one, page, href(table.name), reader)
    return {
      label: relatedLabel(one, related, { self, reader }),
      href: LISTING.href(href(table.name), LISTING.state({ filterComponents })),
      list: href(table.name),
      count: drawCount(count, isPartial, reader),
      ...(first && { first }),
    }
  })
}

/** The table, and the column that refers to the row where the table stands there twice, or is the row's own. */
export function relatedLabel(
  { open, foreignKey }: RelatedRows,
  related: readonly RelatedRows[],
  { self, reader }: Pick<Drawn, 'self' | 'reader'>,
): string {
  const { table, label, columns } = open.definition
  const isOne = related.filter((other) => other.open === open).length === 1 && table.name !== self
  if (isOne) return label
  const names = foreignKey.columns.map((column) => columns.get(column)?.label ?? column)
  return messagesFor(reader.language).row.relatedBy(label, names.join(', '))
}

function drawCount(count: Count | null, isPartial: boolean, reader: Reader): Total {
  if (!count) return { kind: isPartial ? 'counting' : 'unknown' }
  const text = formatterFor(reader).number(count.count)
  return {
    kind: count.kind,
    count: count.count,
    text: count.kind === 'atLeast' ? `${text}+` : text,
  }
}

function drawPage(
  one: RelatedRows,
  page: RowPage,
  list: string,
  reader: Reader,
): RelatedPage | null {
  if (page.rows.length === 0) return null
  const columns = shownColumns(one.open, stateOf(one))
  const names = columns.filter(({ name }) => namesOf(one.open).includes(name)).length
  const few = { ...page, rows: page.rows.slice(0, SHOWN) }
  const { rows, except } = drawRows(
    { open: one.open, columns, page: few, list },
    formatterFor(reader),
  )
  return {
    columns: columns.map(({ name, label, kind, unit, ownKind, file, loads }) => ({
      ...{ name, label, kind: file && !file.isPicture ? 'link' : kind },
      ...(unit !== undefined && { unit }),
      ...(ownKind?.layout && { layout: ownKind.layout }),
      ...(loads && { loads }),
    })),
    rows,
    ...(except.length > 0 && { except }),
    isAll: page.rows.length <= SHOWN,
    ...(names > 1 && { names }),
  }
}

const stateOf = ({ open, foreignKey, filterComponents }: RelatedRows) =>
  LISTING.state({ filterComponents, columns: fewColumns(open, foreignKey.columns) })

const DATES: ReadonlySet<string> = new Set(['date', 'datetime'])
/** What ends a line, the most telling kind first. */
const ENDS = ['status', 'money', 'number', 'relation', 'boolean']

/** Values that make the name of a row together, as of a person; the row of a joining table is not named so. */
const namesOf = ({ definition }: OpenTable): readonly string[] =>
  definition.labelColumns.length > 1 && !isNamedByRows(definition) ? definition.labelColumns : []

/**
 * What tells rows apart in a line: what names them, a date, and a state, an amount or somebody. A joining row is named
 * by what else it joins, and ends with the other one of them.
 */
function fewColumns(open: OpenTable, references: readonly string[]): string[] {
  const { definition, access } = open
  const others = shownColumns(open, { columns: null }).filter(
    ({ name, kind }) =>
      !references.includes(name) && (kind === 'relation' || !access.table.key.includes(name)),
  )
  const isWords = ({ kind }: ColumnDefinition) => !DATES.has(kind) && !ENDS.includes(kind)
  const [named, ...labels] = definition.labelColumns.flatMap((label) =>
    others.filter(({ name }) => name === label),
  )
  const name = named ?? others.find(isWords) ?? others.find(({ kind }) => kind === 'relation')
  const names = namesOf(open).length > 0 ? labels : []
  const rest = others.filter((column) => column !== name && !names.includes(column))
  const date = rest.find(({ kind }) => DATES.has(kind))
  const joined = isNamedByRows(definition) ? labels[0] : undefined
  const end =
    joined ?? ENDS.map((kind) => rest.find((column) => column.kind === kind)).find(Boolean)
  const found = [name, ...names, date, end].flatMap((column) => (column ? [column.name] : []))
  return name ? found : [...access.table.key.slice(0, 1), ...found]
}
