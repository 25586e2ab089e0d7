/** Turns the outcome of a unit into its result, the same for every engine. */

import type { Refused, Unit, UnitResult, Values } from '../../table/source/write-unit.ts'
import type { Outcome, Part, Step } from './run-unit.ts'

/** Describes what the database refused. */
export type Describe<R> = (refusal: R, part: Part) => Refused

export function answerOf<R>(
  outcome: Outcome<R>,
  { before }: Unit,
  describe: Describe<R>,
): UnitResult {
  const resultOf = <T>(of: Part['of'], step: Step<T, R>, at = 0): T | Refused => {
    if ('result' in step) return step.result
    const refused = describe(step.refusal, { of, at })
    return step.invalid ? { ...refused, columns: step.invalid } : refused
  }
  const { ranks } = outcome
  return {
    isDone: outcome.isDone,
    rows: outcome.rows.map((step, at) => resultOf('rows', step, at)),
    sets: outcome.sets.map((step, at) => resultOf('sets', step, at)),
    ...(ranks && { ranks: resultOf('ranks', ranks) }),
    ledger: outcome.ledger.map((step, at) => {
      const result = resultOf('ledger', step, at)
      return result.status === 'done' ? result : { status: result.status, rule: result.rule }
    }),
    ...(before && { before: outcome.before }),
  }
}

/** The values that a part writes; for ranks, only the column. */
export function writtenBy({ rows = [], sets = [], ranks }: Unit, { of, at }: Part): Values {
  if (of === 'ranks') return ranks ? { [ranks.column]: null } : {}
  if (of === 'sets') {
    const set = sets[at]
    return set && 'set' in set ? set.set : {}
  }
  const row = of === 'rows' ? rows[at] : undefined
  if (row && 'insert' in row) return row.insert
  return row && 'update' in row ? row.set : {}
}
