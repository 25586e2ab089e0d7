/** Keeps an actor's own conditions from choosing the index where one serves the policy. */

import type { Predicate } from '../../table/source/predicate.ts'
import type { Scope } from './scope.ts'

/** Conditions that have to hold together, one by one. */
export const partsOf = (predicate: Predicate): readonly Predicate[] =>
  predicate.op === 'and' ? predicate.all.flatMap(partsOf) : [predicate]

/**
 * Whether the engine must not find rows by this condition: by its index, the engine would read the hidden
 * rows that hold the value, and the time of the answer would tell of them. By the policy's index it reads
 * none. An index that goes on with the column after the policy's may serve both.
 */
export function isHeldBack({ of, access }: Pick<Scope, 'of' | 'access'>, part: Predicate): boolean {
  if (access.seesAllRows) return false
  const fixed = new Set(fixedColumns(access.grant.rows))
  const indexes = [
    ...of.table.indexes.filter(({ partial }) => !partial).map(namesOf),
    ...(of.table.key.length > 0 ? [of.table.key] : []),
  ]
  const serving = indexes.filter(([first]) => first !== undefined && fixed.has(first))
  if (serving.length === 0) return false
  const own = columnsIn(part).filter((column) => !fixed.has(column))
  const isNext = (column: string): boolean =>
    serving.some((columns) => columns.find((name) => !fixed.has(name)) === column)
  const hasIndex = (column: string): boolean =>
    indexes.some(([first]) => first === column) && !isNext(column)
  return own.some(hasIndex) && !isOneRow(of.table, part)
}

const namesOf = ({ columns }: { columns: readonly { readonly name: string }[] }): string[] =>
  columns.map(({ name }) => name)

/** Columns that a condition fixes to one value, or to a few. */
function fixedColumns(predicate: Predicate): string[] {
  if (predicate.op === 'and') return predicate.all.flatMap(fixedColumns)
  return predicate.op === 'eq' || predicate.op === 'null' || predicate.op === 'in'
    ? [predicate.column]
    : []
}

/** The columns of its own table that a condition compares. */
function columnsIn(predicate: Predicate): string[] {
  switch (predicate.op) {
    case 'and':
    case 'or':
      return predicate.all.flatMap(columnsIn)
    // No index finds rows by these.
    case 'not':
    case 'related':
    case 'referred':
      return []
    default:
      return [predicate.column]
  }
}

/** Whether a value has at most one row, hidden or not. */
function isOneRow({ key, indexes }: Scope['of']['table'], part: Predicate): boolean {
  if (part.op !== 'eq' && part.op !== 'in') return false
  const unique = [key, ...indexes.filter((index) => index.unique && !index.partial).map(namesOf)]
  return unique.some((columns) => columns.length === 1 && columns[0] === part.column)
}
