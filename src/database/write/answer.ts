/** Turns the outcome of a unit into its result, the same for every engine. */

import type { Access } from '../../table/source/access.ts'
import { computedIn, isComputed, type NewValues } from '../../table/source/computed.ts'
import type {
  Changes,
  ColumnValues,
  Refused,
  Unit,
  UnitResult,
  Values,
} from '../../table/source/write-unit.ts'
import type { Place, Step } from './guarded.ts'
import type { Outcome } from './run-unit.ts'

/** The values that a change writes to a table. */
export type Written = { readonly access: Access; readonly values: Values }

/** Describes what the database refused. */
export type Describe<R> = (refusal: R, written: Written) => Refused

export function answerOf<R>(outcome: Outcome<R>, unit: Unit, describe: Describe<R>): UnitResult {
  const resultOf = <T>(step: Step<T, R>, place: Place): T | Refused => {
    if ('result' in step) return step.result
    const refused = describe(step.refusal, writtenBy(unit, place))
    return named(step.invalid ? { ...refused, columns: step.invalid } : refused, unit, place)
  }
  return {
    isDone: outcome.isDone,
    ...(outcome.recorded && { recorded: outcome.recorded }),
    ...(outcome.tried && { tried: outcome.tried }),
    parts: outcome.parts.map(({ rows, sets, ranks }, part) => ({
      rows: rows.map((step, at) => resultOf(step, { part, of: 'rows', at })),
      sets: sets.map((step, at) => resultOf(step, { part, of: 'sets', at })),
      ...(ranks && { ranks: resultOf(ranks, { part, of: 'ranks', at: 0 }) }),
    })),
  }
}

/** Rules of which the only column that is written is the one in question. */
const ABOUT_VALUES: ReadonlySet<Refused['rule']> = new Set(['type', 'check', 'view'])

/** Databases do not always say which column a value or a sum was not for, least of all through a view. */
function named(refused: Refused, unit: Unit, { part, of, at }: Place): Refused {
  if (!ABOUT_VALUES.has(refused.rule) || refused.columns.length > 0 || of === 'ranks')
    return refused
  const { access, values } = writtenBy(unit, { part, of, at })
  const [only, ...others] = Object.keys(values)
  if (only !== undefined && others.length === 0 && access.canRead(only))
    return { ...refused, columns: [only] }
  const change = unit.parts[part]?.[of]?.[at]
  const set = change && 'set' in change ? computedIn(change.set) : []
  const columns = set.flatMap(([name, value]) =>
    'add' in value || 'multiply' in value ? [name] : [],
  )
  return columns.length === 1 ? { ...refused, columns } : refused
}

export function writtenBy({ parts }: Unit, { part, of, at }: Place): Written {
  // Places come from the outcome of this unit.
  const { access, ...changes } = parts[part]!
  return { access, values: valuesOf(changes, of, at) }
}

/** The values that a change writes; for ranks, only the column. */
function valuesOf({ rows = [], sets = [], ranks }: Changes, of: Place['of'], at: number): Values {
  if (of === 'ranks') return ranks ? { [ranks.column]: null } : {}
  if (of === 'sets') {
    const set = sets[at]
    if (!set || 'delete' in set) return {}
    return 'set' in set ? namesIn(set.set) : namesOf(set.each)
  }
  const row = rows[at]
  if (row && 'insert' in row) return row.insert
  return row && 'update' in row ? namesIn(row.set) : {}
}

/** Each row has its own. */
const namesOf = (each: ColumnValues): Values =>
  Object.fromEntries(Object.keys(each).map((name) => [name, null]))

/** Nobody knows what is worked out. */
const namesIn = (set: NewValues): Values =>
  Object.fromEntries(
    Object.entries(set).map(([name, value]) => [name, isComputed(value) ? null : value]),
  )
