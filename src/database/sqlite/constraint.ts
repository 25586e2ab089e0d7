/** Finds the refused columns in SQLite's error for a violated constraint. */

import { mentions } from '../../table/changes/check-condition.ts'
import type { Access } from '../../table/source/access.ts'
import type { Refused, Values } from '../../table/source/write-unit.ts'
import { OVERFLOW } from './computes.ts'
import type { Failure } from './failure.ts'
import type { SqliteTable } from './tables.ts'

/** By SQLite's extended result code. */
const RULES: Readonly<Record<number, Refused['rule']>> = {
  20: 'type',
  275: 'check',
  787: 'reference',
  1299: 'required',
  1555: 'unique',
  1811: 'trigger',
  2067: 'unique',
  2579: 'unique',
  3091: 'type',
}

/** `written` are the refused values. Names only columns that the actor may read. */
export function refusal(
  failure: Failure,
  { checks }: Pick<SqliteTable, 'checks'>,
  access: Access,
  written: Values,
): Refused {
  const rule = failure.message === OVERFLOW ? 'type' : (RULES[failure.errcode ?? -1] ?? 'other')
  const said = rule === 'check' ? saidOf(failure) : ''
  // SQLite says the name of a check, or its condition if it has none.
  const condition = checks.get(said.toLowerCase()) ?? said
  const columns = access.table.columns
    .map(({ name }) => name)
    .filter((name) => access.canRead(name) && concerns(rule, name))
  return rule === 'trigger'
    ? { status: 'refused', rule, columns, message: failure.message }
    : { status: 'refused', rule, columns, ...(isCondition(condition) && { condition }) }

  function concerns(rule: Refused['rule'], column: string): boolean {
    if (rule === 'trigger' || rule === 'other') return false
    if (rule === 'reference') return column in written && isForeignKey(access, column)
    if (rule === 'check') return mentions(condition, column)
    return mentions(failure.message, `${access.table.name}.${column}`)
  }
}

const saidOf = ({ message }: Failure): string =>
  /^CHECK constraint failed: ([^]+)$/.exec(message)?.[1] ?? ''

/** A name that stands for none tells nothing. */
const isCondition = (text: string): boolean => /[<>=(]/.test(text)

const isForeignKey = ({ table }: Access, column: string): boolean =>
  table.foreignKeys.some(({ columns }) => columns.includes(column))
