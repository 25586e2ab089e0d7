/** The rows of all tables that refer to one row: where they are listed, and how many there are. */

import { messagesFor } from '../../messages/messages.ts'
import type { RelatedView } from '../../protocol/record-view.ts'
import type { Total } from '../../protocol/table-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import { formatterFor } from '../format.ts'
import type { FilterComponents, OneOf } from '../../protocol/filters.ts'
import { keyOfColumn } from '../filters/address.ts'
import { conditionsOf } from '../filters/read-filters.ts'
import { encodeValue } from '../row-key.ts'
import { LISTING } from '../list/fold.ts'
import type { Predicate } from '../source/predicate.ts'
import type { Count, RowSource } from '../source/row-source.ts'
import type { ForeignKey } from '../source/schema.ts'
import { foreignKeysOf } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'

/** Rows are counted up to here; beyond it, it is “1,000+”. */
const COUNT_BOUND = 1000
/** Counts that run at a time for one row. */
const COUNTS_AT_ONCE = 4

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
      const filters = columns.flatMap((column, place): [string, OneOf][] => {
        const value = values.get(references[place] ?? '') ?? null
        return value === null ? [] : [[keyOfColumn(column), { in: [encodeValue(value)] }]]
      })
      if (filters.length < columns.length) return []
      const filterComponents: FilterComponents = Object.fromEntries(filters)
      const all = predicatesOf(filterComponents, open)
      return all ? [{ open, foreignKey, filterComponents, where: { op: 'and', all } }] : []
    }),
  )
}

/** The conditions of some filters; `undefined` if the values do not fit the columns. */
function predicatesOf(filters: FilterComponents, open: OpenTable): Predicate[] | undefined {
  try {
    return [...conditionsOf(filters, open).values()].map((one) => one.predicate({ now: 0 }))
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** How many rows each has; `null` if it was not counted within `maxWaitMs`. */
export async function countRelated(
  source: RowSource,
  related: readonly RelatedRows[],
  signal: AbortSignal,
  maxWaitMs: number,
): Promise<(Count | null)[]> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])
  const counts: (Count | null)[] = related.map(() => null)
  const waiting = related.entries()
  const countNext = async (): Promise<void> => {
    for (const [place, { open, where }] of waiting) {
      if (deadline.aborted) return
      const run = { bound: COUNT_BOUND, signal: deadline, timeoutMs: maxWaitMs }
      // One table that cannot be counted must not hide the row; reading the row itself reports a
      // failure of the whole database.
      counts[place] = await source.count(open.access, where, run).catch(() => null)
    }
  }
  await Promise.all(Array.from({ length: COUNTS_AT_ONCE }, countNext))
  signal.throwIfAborted()
  return counts
}

type Drawn = {
  readonly related: readonly RelatedRows[]
  readonly counts: readonly (Count | null)[]
  /** Whether a missing count may still come. */
  readonly isPartial: boolean
  readonly self: string
  readonly href: (table: string) => string
  readonly reader: Reader
}

/**
 * The links to related rows, each with its count; several links to one table also name the column.
 */
export function drawRelated(drawn: Drawn): RelatedView[] {
  const { related, counts, isPartial, self, href, reader } = drawn
  const { row } = messagesFor(reader.language)
  return related.map(({ open, foreignKey, filterComponents }, place) => {
    const { table, label, columns } = open.definition
    const isOne = related.filter((other) => other.open === open).length === 1 && table.name !== self
    const names = foreignKey.columns.map((column) => columns.get(column)?.label ?? column)
    return {
      label: isOne ? label : row.relatedBy(label, names.join(', ')),
      href: LISTING.href(href(table.name), LISTING.state({ filterComponents })),
      count: drawCount(counts[place] ?? null, isPartial, reader),
    }
  })
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
