/** What became of a unit, in words that are the same for every engine. */

import type { Refused, Unit, UnitResult, Values } from '../../table/source/write-unit.ts'
import type { Outcome, Part, Step } from './run-unit.ts'

/** Puts what the database refused into words. */
export type Tell<R> = (refusal: R, part: Part) => Refused

export function answerOf<R>(outcome: Outcome<R>, { before }: Unit, tell: Tell<R>): UnitResult {
  const told = <T>(of: Part['of'], step: Step<T, R>, at = 0): T | Refused => {
    if ('result' in step) return step.result
    const refused = tell(step.refusal, { of, at })
    return step.misfits ? { ...refused, columns: step.misfits } : refused
  }
  const { ranks } = outcome
  return {
    isDone: outcome.isDone,
    rows: outcome.rows.map((step, at) => told('rows', step, at)),
    sets: outcome.sets.map((step, at) => told('sets', step, at)),
    ...(ranks && { ranks: told('ranks', ranks) }),
    ledger: outcome.ledger.map((step, at) => {
      const result = told('ledger', step, at)
      return result.status === 'done' ? result : { status: result.status, rule: result.rule }
    }),
    ...(before && { before: outcome.before }),
  }
}

/** The values that a part writes; of ranks, the column alone. */
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
