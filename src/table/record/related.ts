/** The rows of all tables that refer to one row, and how many there are. */

import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { FilterComponents, OneOf } from '../../protocol/filters.ts'
import { keyOfColumn } from '../filters/address.ts'
import { withoutDeleted } from '../filters/deleted.ts'
import { conditionsOf } from '../filters/read-filters.ts'
import { encodeValue } from '../row-key.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Count, RowSource, Run } from '../source/row-source.ts'
import type { ForeignKey } from '../source/schema.ts'
import { foreignKeysOf } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'

/** Rows are counted up to here; beyond it, it is “1,000+”. */
const COUNT_BOUND = 1000
/** Questions that run at a time for one row. */
const AT_ONCE = 4

/** The rows that refer to one row by one foreign key. */
export type RelatedRows = {
  readonly open: OpenTable
  readonly foreignKey: ForeignKey
  readonly filterComponents: FilterComponents
  readonly where: Predicate
}

/**
 * The rows that refer to the one with these values (by column): an entry for each foreign key whose
 * columns the actor may read on both sides. Nothing refers to NULL.
 */
export function relatedRows(
  catalog: Catalog,
  actor: Actor,
  { definition, access }: OpenTable,
  values: ReadonlyMap<string, Value>,
): RelatedRows[] {
  const { name } = definition.table
  return catalog.readable(actor).flatMap((other) =>
    foreignKeysOf(other).flatMap((foreignKey) => {
      const { columns, references, table } = foreignKey
      if (table !== name || !references.every((column) => access.canRead(column))) return []
      const open = catalog.find(actor, other.table.name)
      if (!open || !columns.every((column) => open.access.canRead(column))) return []
      return rowsReferring(open, foreignKey, values) ?? []
    }),
  )
}

/** The rows of a table that refer to the one with these values; `undefined` if none can, or no list shows them. */
export function rowsReferring(
  open: OpenTable,
  foreignKey: ForeignKey,
  values: ReadonlyMap<string, Value>,
): RelatedRows | undefined {
  const { columns, references } = foreignKey
  const filters = columns.flatMap((column, place): [string, OneOf][] => {
    const value = values.get(references[place] ?? '') ?? null
    return value === null ? [] : [[keyOfColumn(column), { in: [encodeValue(value)] }]]
  })
  if (filters.length < columns.length) return undefined
  const filterComponents: FilterComponents = Object.fromEntries(filters)
  const all = predicatesOf(filterComponents, open)
  return all && { open, foreignKey, filterComponents, where: { op: 'and', all } }
}

/** As a list shows them at first: without those that are marked as deleted. */
export function listed(all: RelatedRows): RelatedRows {
  const filterComponents = withoutDeleted(all.filterComponents, all.open)
  const conditions = predicatesOf(filterComponents, all.open)
  return conditions ? { ...all, filterComponents, where: { op: 'and', all: conditions } } : all
}

/** The conditions of some filters; `undefined` if the values do not fit the columns. */
function predicatesOf(filters: FilterComponents, open: OpenTable): Predicate[] | undefined {
  try {
    // They hold values, which nobody has typed.
    const clock = { locale: 'en', now: 0 }
    return [...conditionsOf(filters, open).values()].map((one) => one.predicate(clock))
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

type InTime = { readonly signal: AbortSignal; readonly maxWaitMs: number }

/** What `find` finds of each within `maxWaitMs`; `none` of the others. A few are looked for at a time. */
export async function eachInTime<Found>(
  related: readonly RelatedRows[],
  none: Found,
  { signal, maxWaitMs }: InTime,
  find: (one: RelatedRows, run: Run) => Promise<Found>,
): Promise<Found[]> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])
  const found = related.map(() => none)
  const waiting = related.entries()
  const findNext = async (): Promise<void> => {
    for (const [place, one] of waiting) {
      if (deadline.aborted) return
      found[place] = await find(one, { signal: deadline, timeoutMs: maxWaitMs })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, findNext))
  signal.throwIfAborted()
  return found
}

/**
 * `null` if it could not be counted: one such table must not hide the row; reading the row itself reports a
 * failure of the whole database.
 */
export const countUpTo = (
  source: Pick<RowSource, 'count'>,
  { open, where }: RelatedRows,
  run: Run,
): Promise<Count | null> =>
  source.count(open.access, where, { ...run, bound: COUNT_BOUND }).catch(() => null)

/** How many rows each has; `null` if it was not counted within `maxWaitMs`. */
export const countRelated = (
  source: RowSource,
  related: readonly RelatedRows[],
  signal: AbortSignal,
  maxWaitMs: number,
): Promise<(Count | null)[]> =>
  eachInTime<Count | null>(related, null, { signal, maxWaitMs }, (one, run) =>
    countUpTo(source, one, run),
  )
