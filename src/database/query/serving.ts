/** Tells from the indexes' columns alone whether one serves an order, and which one would. */

import type { Index } from '../../table/source/schema.ts'
import type { IndexedRun, Need } from '../query-runner.ts'
import type { Term } from './order.ts'
import type { SourceTable } from '../tables.ts'

/** How engines' indexes differ. */
export type IndexBehaviour = {
  /** Whether every index ends with the key, as InnoDB's do. */
  readonly endsWithKey: boolean
  /** Whether an index sorts NULL above or below all values. */
  readonly nulls: 'greatest' | 'least'
  /** Whether the engine sorts ties while it reads an index in order. Default true. */
  readonly sortsTies?: boolean
}

/** Rows of one value that the engine may sort for a page at no noticeable cost. */
const FEW_TIES = 1000

/** Whether indexes give all runs of an order at any depth. */
export const servesOrder = (of: SourceTable, need: Need, behaviour: IndexBehaviour): boolean =>
  need.of === 'order' && need.runs.every((run) => indexServing(of, run, behaviour) !== undefined)

/** What a run needs of an index. */
export type RunNeed = Pick<IndexedRun, 'terms' | 'equal' | 'entered'>

/** An index that gives a run's rows in order. It has no name if only the key implies it. */
export const indexServing = (
  of: SourceTable,
  run: RunNeed,
  behaviour: IndexBehaviour,
): Serving | undefined => indexesOf(of).find((index) => servesRun(of, run, index, behaviour))

export type Serving = Pick<Index, 'columns' | 'unique'> & { readonly name?: string }

/** The columns of an index that would serve the order; `undefined` where none can. */
export function servingColumns(
  { table, columns: known, locator }: SourceTable,
  need: Need,
  { endsWithKey }: IndexBehaviour,
): Index['columns'] | undefined {
  if (need.of !== 'order') return undefined
  const run = need.runs.toSorted((a, b) => a.equal.length - b.equal.length)[0]
  if (!run?.entered) return undefined
  const given = [...new Set(run.equal)].map((name) => ({ name, descending: false }))
  const wanted = orderedTerms(run).filter(
    ({ column, isExact }) => !isExact && (known.has(column) || !locator.includes(column)),
  )
  const ordered = wanted.map(({ column, descending }) => ({ name: column, descending }))
  const columns = [...given, ...ordered]
  const key = new Set(table.key)
  const end = columns.findLastIndex(({ name }) => !endsWithKey || !key.has(name))
  const needed = columns.slice(0, Math.max(1, end + 1))
  const isOneWay = ordered.every(({ descending }) => descending === ordered[0]?.descending)
  return isOneWay ? needed.map(({ name }) => ({ name, descending: false })) : needed
}

/**
 * Whether an index begins with these columns in one direction, so that the engine can seek by all of
 * them. With an index of another collation it cannot; the answer is then right, but slow.
 */
export const isListed = (of: SourceTable, wanted: readonly string[]): boolean =>
  indexesOf(of).some(({ columns }) =>
    wanted.every(
      (name, at) => columns[at]?.name === name && columns[at].descending === columns[0]?.descending,
    ),
  )

/** Every primary key has an index, even if none is listed. */
function indexesOf({ table }: SourceTable): Serving[] {
  const key = table.key.map((name) => ({ name, descending: false }))
  const whole = table.indexes.filter(({ partial }) => !partial)
  return key.length > 0 && table.kind === 'table'
    ? [...whole, { columns: key, unique: true }]
    : whole
}

/** The terms that still decide the order once some columns are fixed to one value. */
const orderedTerms = ({ terms, equal }: RunNeed): Term[] =>
  terms.filter(({ column, isExact }) => isExact || !equal.includes(column))

function servesRun(
  of: SourceTable,
  run: RunNeed,
  index: Serving,
  { endsWithKey, nulls, sortsTies = true }: IndexBehaviour,
): boolean {
  const { table } = of
  const key = endsWithKey ? table.key.map((name) => ({ name, descending: false })) : []
  const columns = [...index.columns, ...key]
  const equal = new Set(run.equal)
  const begin = columns.findIndex(({ name }) => !equal.has(name))
  const ordered = begin < 0 ? [] : columns.slice(begin)
  const used = new Set(columns.slice(0, begin < 0 ? columns.length : begin).map(({ name }) => name))
  const terms = orderedTerms(run)
  const isEntered = (column: string): boolean =>
    equal.has(column) ? used.has(column) : column === terms[0]?.column
  if (!run.entered?.every(isEntered)) return false
  const backwards = terms[0]?.descending !== ordered[0]?.descending
  const inOrder = terms.findIndex(({ column, descending, nulls: wanted, isExact }, i) => {
    const here = ordered[i]
    if (isExact || here?.name !== column || (descending !== here.descending) !== backwards)
      return true
    return wanted !== 'none' && (wanted === 'last') !== ((nulls === 'greatest') !== descending)
  })
  if (inOrder < 0) return true
  if (!sortsTies) return false
  return isTie(terms.slice(inOrder), of) && hasFewTies(of, index, terms.slice(0, inOrder))
}

const isTie = (terms: readonly Term[], { table: { key }, locator }: SourceTable): boolean =>
  terms.every(({ column, isExact }) => isExact || key.includes(column) || locator.includes(column))

/** Whether so few rows share the same values that sorting them costs next to nothing. */
function hasFewTies(
  { table, columns }: SourceTable,
  index: Serving,
  terms: readonly Term[],
): boolean {
  if (terms.length === 0) return false
  if (index.unique && index.columns.length <= terms.length) return true
  const distinct = terms.map(({ column }) => columns.get(column)?.distinct ?? 0)
  return (table.estimate ?? Infinity) / Math.max(1, ...distinct) <= FEW_TIES
}
