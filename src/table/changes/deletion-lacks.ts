/** What the history would lack of a deletion, told before it is made. */

import type { Catalog, OpenTable } from '../catalog.ts'
import type { Access } from '../source/access.ts'
import { LARGEST_KEPT, MOST_CASCADED } from '../source/ledger-entry.ts'
import { nothing, type Predicate } from '../source/predicate.ts'
import type { RowSource } from '../source/row-source.ts'
import type { RowReader } from './read-rows.ts'
import { type ForeignKey, LONG_TYPES, type Table } from '../source/schema.ts'
import type { KeyValues, Value } from '../source/value.ts'
import { wholeAccess } from './whole-access.ts'

/** `rows`: the database takes more along than are kept; `value`: the row holds one that is too large. */
export type DeletionLacks = 'nothing' | 'rows' | 'value'

/** How many tables lie between the row and those that are counted at most. */
const DEPTH = 4
/** Characters that are read of a text: enough for a key. */
const SHORT = 200

type Services = { readonly source: RowReader & Pick<RowSource, 'count'>; catalog(): Catalog }

/**
 * Looks at all rows, whoever may see them: whether Undo is offered does not depend on who asks. What cannot be
 * counted in time is taken to be kept.
 */
export async function deletionLacks(
  { source, catalog }: Services,
  { access }: OpenTable,
  key: KeyValues,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<DeletionLacks> {
  const { tables } = catalog().schema
  const whole = wholeAccess(tables, access.table.name)
  const row = whole && (await readRow(source, whole, key, signal))
  if (!row) return 'nothing'
  if (row.longest > LARGEST_KEPT) return 'value'
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  let left = MOST_CASCADED
  for (const { table, where } of takenAlong(tables, whole.table, row.values)) {
    const of = wholeAccess(tables, table.name)
    if (!of || deadline.aborted) continue
    const run = { signal: deadline, timeoutMs, bound: left + 1 }
    const found = await source.count(of, where, run).catch(() => undefined)
    left -= found?.count ?? 0
    if (left < 0) return 'rows'
  }
  return 'nothing'
}

/** Its values, and the length of the longest one. */
async function readRow(
  source: Services['source'],
  whole: Access,
  key: KeyValues,
  signal: AbortSignal,
): Promise<{ values: ReadonlyMap<string, Value>; longest: number } | undefined> {
  const columns = whole.table.columns.map(({ name }) => name)
  const long = whole.table.columns.filter(({ type }) => LONG_TYPES.has(type))
  const cut = { columns: long.map(({ name }) => name), length: SHORT }
  const row = await source.row(whole, key, { columns, cut }, { signal })
  if (!row) return undefined
  return {
    values: new Map(columns.map((name, at) => [name, row.values[at] ?? null])),
    longest: Math.max(0, ...(row.lengths?.values() ?? [])),
  }
}

type Rows = { readonly table: Table; readonly where: Predicate }

/** Rows that refer to others, and whether they are deleted with these. */
type Level = Rows & { readonly isDeleted: boolean }

/** The rows that the database deletes or changes along with a row. */
function takenAlong(
  tables: readonly Table[],
  of: Table,
  values: ReadonlyMap<string, Value>,
): Rows[] {
  const found: Rows[] = []
  let level = referring(tables, of, ({ columns, references }) => ({
    op: 'and',
    all: columns.map((column, at) => {
      const value = values.get(references[at] ?? '') ?? null
      // Nothing refers to NULL.
      return value === null ? nothing : { op: 'eq', column, value }
    }),
  }))
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    found.push(...level)
    level = level.flatMap((parent) =>
      parent.isDeleted ? referring(tables, parent.table, (link) => among(parent, link)) : [],
    )
  }
  return found
}

/** Rows of all tables that refer to rows of this one and do not keep them from being deleted. */
const referring = (
  tables: readonly Table[],
  { name }: Table,
  whereOf: (link: ForeignKey) => Predicate,
): Level[] =>
  tables.flatMap((table) =>
    table.foreignKeys
      .filter(({ table: to, onDelete = 'restrict' }) => to === name && onDelete !== 'restrict')
      .map((link) => ({ table, where: whereOf(link), isDeleted: link.onDelete === 'cascade' })),
  )

/** Those that refer to some rows; by several columns, none are counted. */
function among({ table, where }: Rows, { columns, references }: ForeignKey): Predicate {
  const [[column, ...others], [to]] = [columns, references]
  if (column === undefined || to === undefined || others.length > 0) return nothing
  return { op: 'related', column, table: table.name, references: to, where }
}
