/** Judges the rows of a change before anything is written: policy, schema, then the table's own rules. */

import type { Actor } from '../../server/actor.ts'
import { unknownColumn } from '../address-error.ts'
import type { OpenTable } from '../catalog.ts'
import type { Door } from '../source/ledger-entry.ts'
import { computedIn, givenIn } from '../source/computed.ts'
import type { RowSource, Run } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'
import type { RankChange, RowChange, Values } from '../source/write-unit.ts'
import type { ChangeProblem, ProblemPlace, RowAsked } from './change.ts'
import { computeValues } from './compute.ts'
import { keyName, readRows, type RowsByKey, type RowReader } from './read-rows.ts'
import { problemsOfRow, takenBy } from './value-rules.ts'
import { askChanging, askRules, type RuleProblem } from './table-rules.ts'

/** What rows of one table are judged by. */
export type Judging = {
  readonly source: RowReader & Pick<RowSource, 'keys' | 'count'>
  readonly actor: Actor
  readonly door: Door
  readonly open: OpenTable
  /** Place of the table in the change. */
  readonly table: number
  /** Whether an earlier change is taken back: then the table's rules can refuse it and add nothing. */
  readonly isUndo: boolean
  /** The present, ms. */
  readonly now: number
  /** How what is asked of the database runs. */
  readonly run?: Run | undefined
}

/** The rows as they are to be written, or what is wrong with them. */
export type Judged = {
  readonly rows: readonly RowChange[]
  readonly problems: readonly ChangeProblem[]
}

/**
 * `read`: rows that were read already, and are written as long as they are so. Throws `TABLE_UNKNOWN_COLUMN` for a
 * column that does not exist or that the actor may not know of.
 */
export async function judgeRows(
  judging: Judging,
  rows: readonly RowChange[],
  read: RowsByKey = new Map(),
): Promise<Judged> {
  return judgedOf(judging, 'rows', await judgeEach(judging, rows, read))
}

/**
 * Asks `changing` about each row that is moved in an order: its place is the source's to choose. The rows
 * are what it adds.
 */
export async function judgeRanks(judging: Judging, { at }: RankChange): Promise<Judged> {
  if (!judging.open.definition.rules.changing) return { rows: [], problems: [] }
  const moved = at.map(([key]): RowChange => ({ update: key, set: {} }))
  const access = judging.open.access.ofAllColumns()
  const before = await readRows(
    judging.source,
    access,
    at.map(([key]) => key),
    judging.run,
  )
  const judged = await Promise.all(
    moved.map((row) => judgeByRules(judging, row, beforeOf(row, before), { hasRules: false })),
  )
  const added = judged.filter(
    ({ row, problems }) => problems.length > 0 || Object.keys(valuesOf(row)).length > 0,
  )
  return judgedOf(judging, 'ranks', added)
}

function judgedOf(
  { table, open }: Judging,
  of: ProblemPlace['of'],
  judged: readonly JudgedRow[],
): Judged {
  const problems = judged.flatMap(({ problems }, at) =>
    problems.map((problem): ChangeProblem => ({
      place: { table, of, at: of === 'ranks' ? 0 : at },
      ...problem,
      columns: problem.columns.filter((name) => open.access.canRead(name)),
    })),
  )
  return { rows: judged.map(({ row }) => row), problems }
}

type Problem = Omit<ChangeProblem, 'place'>
type JudgedRow = { readonly row: RowChange; readonly problems: readonly Problem[] }

/** The rows before the change are read together, and only where the table has rules of its own. */
async function judgeEach(
  judging: Judging,
  rows: readonly RowChange[],
  read: RowsByKey,
): Promise<JudgedRow[]> {
  const { rules, changing } = judging.open.definition.rules
  const asked = rows.map((row) => ({
    row,
    problems: judging.isUndo ? notAllowed(judging, row) : askedOf(judging, row),
  }))
  if (!rules && !changing)
    return asked.map(({ row, problems }) => {
      const before = beforeOf(row, read)
      return { row: before ? expecting(row, {}, before) : row, problems }
    })
  const keys = asked.flatMap(({ row, problems }) =>
    problems.length > 0 || 'insert' in row || beforeOf(row, read) ? [] : [keyOf(row)],
  )
  const { source, open, run } = judging
  const before = new Map([
    ...read,
    ...(await readRows(source, open.access.ofAllColumns(), keys, run)),
  ])
  return Promise.all(
    asked.map(async (one) =>
      one.problems.length > 0 ? one : judgeByRules(judging, one.row, beforeOf(one.row, before)),
    ),
  )
}

/** `null` for a new row, `undefined` for one that is missing or hidden. */
const beforeOf = (row: RowChange, read: RowsByKey): Values | null | undefined =>
  'insert' in row ? null : read.get(keyName(keyOf(row)))

/** What the policy and the schema have against a change that a person asks for. */
function askedOf(judging: Judging, row: RowChange): Problem[] {
  const { access } = judging.open
  const expected = 'insert' in row ? [] : Object.keys(row.expect ?? {})
  for (const name of expected) if (!access.canFindBy(name)) throw unknownColumn(name)
  for (const name of namesIn(row)) assertKnown(judging, name)
  const computed = 'update' in row ? computedIn(row.set) : []
  for (const [, value] of computed)
    if ('column' in value && !access.canRead(value.column)) throw unknownColumn(value.column)
  const refused = notAllowed(judging, row)
  if (refused.length > 0) return refused
  // What becomes of sums would tell what a column holds.
  const hidden = computed.flatMap(([name]) => (access.canRead(name) ? [] : [name]))
  const action = 'insert' in row ? 'create' : 'update'
  const locked = [...hidden, ...namesIn(row).filter((name) => !access.canWrite(name, action))]
  if (locked.length > 0) return [{ kind: 'forbidden', columns: [...new Set(locked)] }]
  return problemsOfRow(access.table, row)
}

function notAllowed({ open: { access } }: Judging, row: RowChange): Problem[] {
  return access.may(actionOf(row)) ? [] : [{ kind: 'forbidden', columns: [] }]
}

/** A column that the actor may neither read nor write is one that does not exist. */
function assertKnown({ open: { access } }: Judging, name: string): void {
  const isKnown = access.canFindBy(name) || access.canWrite(name) || access.canWrite(name, 'create')
  if (!isKnown) throw unknownColumn(name)
}

/** Asks the table's own rules, about the row as it is and as it will be. */
async function judgeByRules(
  judging: Judging,
  change: RowChange,
  before: Values | null | undefined,
  { hasRules = true } = {},
): Promise<JudgedRow> {
  // The unit says that the row is missing.
  if (before === undefined) return { row: change, problems: [] }
  const known = withValues(judging, change, before)
  if ('unsuited' in known)
    return { row: change, problems: [{ kind: 'type', columns: known.unsuited }] }
  const { row } = known
  const { isUndo, open } = judging
  const { rules } = open.definition
  const action = actionOf(row)
  const after = action === 'delete' ? null : { ...before, ...valuesOf(row) }
  const question: RowAsked = {
    ...{ actor: judging.actor, door: judging.door, table: judging.open.access.table.name },
    ...{ action, before, after },
  }
  const answer = await askChanging(rules, question)
  if ('problem' in answer) return { row, problems: [answer.problem] }
  const added = isUndo ? {} : answer.added
  const asked = after && !isUndo && hasRules ? await askRules(rules, { ...after, ...added }) : []
  return { row: expecting(row, added, before), problems: asked.filter(isAboutKnown(row)) }
}

/** What is to be worked out, worked out by what the row holds: rules judge values. */
function withValues(
  { open, now }: Judging,
  row: RowChange,
  before: Values | null,
): { readonly row: RowChange } | { readonly unsuited: readonly string[] } {
  if (!('update' in row) || computedIn(row.set).length === 0) return { row }
  const known = computeValues(open.access.table, row.set, before ?? {}, now)
  return 'unsuited' in known ? known : { row: { ...row, set: known.values } }
}

/** The change with what the rules add; it holds only for the row that they were asked about. */
function expecting(row: RowChange, added: Values, before: Values | null): RowChange {
  if ('insert' in row) return { ...row, insert: { ...row.insert, ...added } }
  const expect = { ...before, ...row.expect }
  return 'update' in row ? { ...row, set: { ...row.set, ...added }, expect } : { ...row, expect }
}

const valuesOf = (row: RowChange): Values =>
  'insert' in row ? row.insert : 'update' in row ? givenIn(row.set) : {}

/** Rules judge what is known: nobody can help a value that another row's key will be. */
const isAboutKnown =
  (row: RowChange) =>
  ({ columns }: RuleProblem): boolean =>
    columns.length === 0 || columns.some((name) => !takenBy(row).includes(name))

const namesIn = (row: RowChange): string[] => [
  ...Object.keys('update' in row ? row.set : valuesOf(row)),
  ...takenBy(row),
]

export const keyOf = (row: Exclude<RowChange, { insert: Values }>): KeyValues =>
  'update' in row ? row.update : row.delete

const actionOf = (row: RowChange): RowAsked['action'] =>
  'insert' in row ? 'create' : 'update' in row ? 'update' : 'delete'
