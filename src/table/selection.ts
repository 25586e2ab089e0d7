/** What a selection means on the server: checked keys, and conditions on rows. */

import * as v from 'valibot'
import { fits, keysOf, type Selected, SELECTED_MAX } from '../protocol/selection.ts'
import { AppError } from '../server/app-error.ts'
import { clip } from './address-error.ts'
import type { OpenTable } from './catalog.ts'
import type { Access } from './source/access.ts'
import type { Predicate } from './source/predicate.ts'
import type { KeyValues } from './source/value.ts'

const keys = v.pipe(
  v.array(v.string()),
  v.check((keys) => fits(keys), `a selection names at most ${SELECTED_MAX} rows`),
)

/** The form of a selection; `checkSelected` checks its keys. */
export const selectedSchema = v.union([keys, v.strictObject({ except: keys })])

/** Whether rows of the table can be selected, and exported, by somebody who may read them. */
export const hasBulkActions = ({ definition }: Pick<OpenTable, 'definition'>): boolean =>
  definition.bulkActions

/** Whether single rows can be selected: something must tell them apart. */
export const hasSelection = ({ definition }: Pick<OpenTable, 'definition'>): boolean =>
  definition.bulkActions && definition.table.key.length > 0

/** Throws `TABLE_NO_SELECTION` where the table's definition turns actions on many rows off. */
export function assertBulkActions(open: Pick<OpenTable, 'definition'>): void {
  const { label } = open.definition
  if (!hasBulkActions(open))
    throw new AppError('TABLE_NO_SELECTION', { detail: ({ selection }) => selection.off(label) })
}

/** Throws `TABLE_NO_SELECTION` where no rows of the table can be selected. */
export function assertSelection(open: Pick<OpenTable, 'definition'>): void {
  assertBulkActions(open)
  const { label } = open.definition
  if (!hasSelection(open))
    throw new AppError('TABLE_NO_SELECTION', { detail: ({ selection }) => selection.noKey(label) })
}

/**
 * The selection with each key once. Throws `TABLE_NO_SELECTION` where there can be none, and
 * `TABLE_BAD_KEY` for a key that no row of the table can have.
 */
export function checkSelected(selected: Selected, open: OpenTable): Selected {
  const named = keysOf(selected)
  if (named.length > 0 || !Array.isArray(selected)) assertSelection(open)
  readKeys(named, open)
  const distinct = [...new Set(named)]
  return Array.isArray(selected) ? distinct : { except: distinct }
}

/** The condition that selects these rows among all that match. */
export function selectedPredicate(selected: Selected, open: OpenTable): Predicate {
  const named = keysPredicate(keysOf(selected), open)
  return Array.isArray(selected) ? named : { op: 'not', of: named }
}

/** The rows with these keys. */
export const keysPredicate = (named: readonly string[], open: OpenTable): Predicate =>
  rowsPredicate(readKeys(named, open), open)

/** Whether keys are one list to the database; otherwise each is a condition of its own. */
export const isOneList = ({ table, hasSealedKey }: Access): boolean =>
  table.key.length === 1 && !hasSealedKey

/** The same by the values of the keys. */
export function rowsPredicate(
  keys: readonly KeyValues[],
  open: Pick<OpenTable, 'access' | 'definition'>,
): Predicate {
  const { key } = open.definition.table
  const [column] = key
  // Rows are found by a key that is a secret one by one alone.
  if (column !== undefined && isOneList(open.access))
    return { op: 'in', column, values: keys.map(([value = null]) => value) }
  const rows = keys.map((values): Predicate => ({
    op: 'and',
    all: key.map((column, i) => ({ op: 'eq', column, value: values[i] ?? null })),
  }))
  return anyOf(rows)
}

/** Databases limit how deep a condition is nested, and take `a or b or c` for three levels. */
const BRANCHES = 32

function anyOf(parts: readonly Predicate[]): Predicate {
  if (parts.length <= BRANCHES) return { op: 'or', all: parts }
  const groups = Array.from({ length: Math.ceil(parts.length / BRANCHES) }, (_, at) =>
    anyOf(parts.slice(at * BRANCHES, (at + 1) * BRANCHES)),
  )
  return anyOf(groups)
}

const readKeys = (named: readonly string[], { keys }: Pick<OpenTable, 'keys'>): KeyValues[] =>
  named.map((text) => {
    const key = keys.read(text)
    if (key !== null) return key
    throw new AppError('TABLE_BAD_KEY', { detail: ({ selection }) => selection.key(clip(text)) })
  })
