/** Runs a change so that its refusal by the database's rules is a result, which names the change. */

import { sql } from '../query/sql.ts'
import type { Assignment } from './columns.ts'
import { rareRows, type Work } from './work.ts'
import type { WriteDialect } from './write-dialect.ts'

/** Where a change stands in its unit. */
export type Place = {
  /** The place of its part. */
  readonly part: number
  readonly of: 'rows' | 'sets' | 'ranks'
  /** Its place in the list. */
  readonly at: number
}

/** How to interpret an engine's failures; `R` is a refusal that is not yet described. */
export type Rules<R> = {
  /** The refusal by a rule of the database; `undefined` for any other failure. */
  refusalOf(error: unknown, place: Place): R | undefined
  /** Whether the database does not say which value it rejected. */
  isUnclear?(refusal: R): boolean
}

/** The result of a change, or the database's refusal, not yet described. */
export type Step<T, R> =
  | { readonly result: T }
  | { readonly refusal: R; readonly invalid?: readonly string[] }

/** How changes are guarded. */
export type Guarding<R> = {
  readonly dialect: WriteDialect
  readonly rules: Rules<R>
  /** Whether each change can be undone separately; costs a savepoint where the engine needs one. */
  readonly isCareful: boolean
}

/** A refused statement has aborted a transaction that sets no savepoints. */
export class TransactionAborted extends Error {}

/** Runs a change; a refusal by the database's rules is a result, not an error. */
export function* guarded<T, R>(
  { dialect, rules, isCareful }: Guarding<R>,
  place: Place,
  work: () => Work<T>,
  trials: readonly Assignment[] = [],
): Work<Step<T, R>> {
  const isSaved = isCareful && dialect.needsSavepoints
  if (isSaved) yield 'save'
  try {
    return { result: yield* work() }
  } catch (error) {
    const refusal = rules.refusalOf(error, place)
    if (refusal === undefined) throw error
    if (dialect.needsSavepoints && !isSaved) throw new TransactionAborted()
    if (isSaved) yield 'undo'
    const isUnclear = isSaved && rules.isUnclear?.(refusal)
    return isUnclear ? { refusal, invalid: yield* invalidAmong(dialect, trials) } : { refusal }
  }
}

/** The columns whose values the database rejects, tried one by one. */
function* invalidAmong(dialect: WriteDialect, trials: readonly Assignment[]): Work<string[]> {
  const found: string[] = []
  for (const { name, value } of trials.filter((one) => !one.isComputed)) {
    yield 'save'
    try {
      yield* rareRows(sql`select ${value}`, dialect)
    } catch {
      yield 'undo'
      found.push(name)
    }
  }
  return found
}
