/** What the database has against a unit, as problems of the change that it was made of. */

import type { Access } from '../source/access.ts'
import { isSame, type Value } from '../source/value.ts'
import type {
  PartResult,
  RankResult,
  Refused,
  RowChange,
  RowResult,
  SetResult,
  Values,
} from '../source/write-unit.ts'
import { conditionOf } from './check-condition.ts'
import type { ChangeProblem, ProblemKind, ProblemPlace } from './change.ts'
import type { PlannedPart } from './door.ts'

const KINDS: { readonly [rule in Refused['rule']]: ProblemKind } = {
  unique: 'unique',
  required: 'required',
  check: 'check',
  reference: 'reference',
  type: 'type',
  trigger: 'trigger',
  ambiguous: 'ambiguous',
  leaving: 'leaving',
  view: 'view',
  other: 'other',
}

/** Of a part of a unit that was not written; `access` says what the actor may be told. */
export const problemsOf = (
  { rows, sets, ranks }: PartResult,
  { table, part }: PlannedPart,
  access: Access,
): readonly ChangeProblem[] => [
  ...rows.flatMap((result, at) => {
    const place = { table, of: 'rows', at } as const
    return result.status === 'conflict'
      ? conflictOf(result.current, part.rows?.[at], { place, access })
      : (problemOf(result, place, access) ?? [])
  }),
  ...sets.flatMap((result, at) => problemOf(result, { table, of: 'sets', at }, access) ?? []),
  ...(ranks && ranks.status !== 'done' ? [rankProblem(ranks, table, access)] : []),
]

/** Only what differs from what was expected, though all of it was read. */
function conflictOf(
  found: Values,
  change: RowChange | undefined,
  { place, access }: { readonly place: ProblemPlace; readonly access: Access },
): ChangeProblem {
  const expected = (change && 'expect' in change && change.expect) || {}
  const differs = ([name, value]: [string, Value]) => !isSame(expected[name] ?? null, value)
  const current = readable(Object.fromEntries(Object.entries(found).filter(differs)), access)
  return { place, kind: 'conflict', columns: Object.keys(current), current }
}

function problemOf(
  result: Exclude<RowResult, { status: 'conflict' }> | SetResult,
  place: ProblemPlace,
  access: Access,
): ChangeProblem | undefined {
  switch (result.status) {
    case 'done':
      return undefined
    case 'refused':
      return refusalOf(result, place, access)
    case 'missing':
    case 'mismatch':
      return { place, kind: 'missing', columns: [] }
    case 'forbidden':
      return { place, kind: 'forbidden', columns: [] }
  }
}

/** What stands in the way of an order is told by its own result. */
function rankProblem(result: RankResult, table: number, access: Access): ChangeProblem {
  const place = { table, of: 'ranks', at: 0 } as const
  if (result.status === 'refused') return refusalOf(result, place, access)
  return { place, kind: result.status === 'missing' ? 'missing' : 'conflict', columns: [] }
}

function refusalOf(refused: Refused, place: ProblemPlace, access: Access): ChangeProblem {
  const { rule, columns, message } = refused
  const condition = conditionOf(refused, access)
  const named = columns.filter((name) => access.canRead(name))
  return {
    place,
    kind: KINDS[rule],
    columns: named,
    ...(message !== undefined && { sentence: message }),
    ...(condition !== undefined && { condition }),
  }
}

/** Only what the actor may read, without secrets; the unit expects more than that. */
export const readable = (values: Values, access: Access): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => access.showsValue(name, value)),
  )
