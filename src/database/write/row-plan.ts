/** Checks a change to one row: what is set, in which row, and what that must still hold. */

import { AppError } from '../../server/app-error.ts'
import type { ChangeAction } from '../../table/source/access.ts'
import { givenIn } from '../../table/source/computed.ts'
import { type RowWrite, writesTaken } from '../../table/source/schema.ts'
import type { Part, RowChange, Values } from '../../table/source/write-unit.ts'
import type { KeyValues, Value } from '../../table/source/value.ts'
import { checkKey, notThrough } from '../query/keys.ts'
import { readableColumn } from '../query/scope.ts'
import { assignmentsOf, type Assignment, type InvalidColumns } from './columns.ts'
import { type TakenKey, takenKey } from './taken-key.ts'
import type { Target, WriteScope } from './target.ts'
import type { WrittenKey } from './write-dialect.ts'

export type RowPlan = {
  readonly kind: 'insert' | 'update' | 'delete'
  /** Of a new row, as far as it is given. */
  readonly key: KeyValues
  /** What is set; empty if the row is only looked at, or deleted. */
  readonly list: readonly Assignment[]
  /** What the row must still hold. */
  readonly expect: Values
  readonly invalid: InvalidColumns
  /** How to find the key of a new row. */
  readonly newKey: WrittenKey
  /** The assignments to try, to find out which value the database rejects. */
  readonly trials: readonly Assignment[]
  /** Whether one statement may write the row along with others of its kind. */
  readonly isShared: boolean
  /** The new values of unique columns. */
  readonly unique: Values
  /** What a new row takes from the key of a row that the unit inserts before. */
  readonly taken?: TakenKey
}

/** Throws `FORBIDDEN`, `TABLE_UNKNOWN_COLUMN`, or `UPDATE_INVALID` for an invalid value. */
export function planRow(
  scope: WriteScope,
  target: Target,
  change: RowChange,
  earlier: readonly Part[],
): RowPlan {
  if ('insert' in change) return planInsert(scope, change, earlier)
  return 'update' in change ? planUpdate(scope, target, change) : planDelete(scope, target, change)
}

/** Throws `FORBIDDEN` if the actor may not do this to any row, `TABLE_READ_ONLY` if the database does not. */
export function checkAction({ access, of }: WriteScope, action: RowWrite): void {
  if (!access.may(action)) throw new AppError('FORBIDDEN')
  if (!writesTaken(of.table).includes(action)) throw notThrough(access)
}

/** Shared only where it is certain afterwards which row got which key. */
function planInsert(scope: WriteScope, change: Insert, earlier: readonly Part[]): RowPlan {
  checkAction(scope, 'create')
  const { insert: values, keyOf } = change
  const { of, context } = scope
  const { dialect } = context
  const { list, invalid } = assignmentsOf(scope, dialect, values, 'create')
  const taken = keyOf && takenKey(scope, keyOf, earlier)
  const key: Value[] = of.table.key.map((column) => values[column] ?? null)
  const { identity, type, default: given } = of.columns.get(of.table.key[0] ?? '') ?? {}
  const isNumbered =
    key.length === 1 &&
    // SQLite numbers a key of whole numbers itself.
    (identity === true || (type === 'integer' && given === undefined)) &&
    dialect.returning !== 'none'
  return {
    ...{ kind: 'insert', key, list, expect: {}, invalid, trials: trialsOf(scope, list) },
    unique: {},
    newKey: dialect.insertedKey?.(of, { ...values, ...taken?.standIns }) ?? { from: 'rows' },
    isShared:
      !of.table.isKeyDeclared && !invalid && list.length > 0 && (isNumbered || !key.includes(null)),
    ...(taken && { taken }),
  }
}

type Insert = Extract<RowChange, { insert: Values }>
type Update = Extract<RowChange, { update: KeyValues }>
type Delete = Extract<RowChange, { delete: KeyValues }>

function planUpdate(scope: WriteScope, target: Target, change: Update): RowPlan {
  checkAction(scope, 'update')
  const { update: key, set, expect = {} } = change
  const { table } = scope.of
  const { list, invalid } = assignmentsOf(scope, scope.context.dialect, set)
  checkOld(scope, key, expect)
  const given = givenIn(set)
  const values = table.key.map((column, i) => given[column] ?? key[i] ?? null)
  const isShared =
    !invalid &&
    list.length > 0 &&
    canShare(target, 'update') &&
    !list.some(({ name }) => target.known.includes(name))
  return {
    ...{ kind: 'update', key, list, expect, invalid, trials: trialsOf(scope, list), isShared },
    unique: uniqueIn(target, given),
    newKey: { from: 'values', values },
  }
}

function planDelete(scope: WriteScope, target: Target, change: Delete): RowPlan {
  checkAction(scope, 'delete')
  const { delete: key, expect = {} } = change
  checkOld(scope, key, expect)
  const { table } = scope.of
  // Of rows that refer to each other, one may take others along.
  const isShared =
    canShare(target, 'delete') && !table.foreignKeys.some((link) => link.table === table.name)
  return {
    ...{ kind: 'delete', key, list: [], expect, invalid: null, trials: [], isShared },
    unique: {},
    newKey: { from: 'values', values: key },
  }
}

function checkOld(scope: WriteScope, key: KeyValues, expect: Values): void {
  checkKey(scope.of.table, key)
  for (const column of Object.keys(expect)) readableColumn(scope, column)
}

const uniqueIn = ({ unique }: Target, set: Values): Values =>
  Object.fromEntries(
    unique.flatMap(({ column: { name } }) => (name in set ? [[name, set[name] ?? null]] : [])),
  )

/** Only where the statement that writes the rows can check the policy, and each key is that of one row. */
const canShare = ({ changes, isKeyDeclared }: Target, action: ChangeAction): boolean =>
  changes[action].isGuarded && !isKeyDeclared

const trialsOf = (
  { context, access }: WriteScope,
  list: readonly Assignment[],
): readonly Assignment[] =>
  context.dialect.needsSavepoints ? list.filter((one) => access.canRead(one.name)) : []
