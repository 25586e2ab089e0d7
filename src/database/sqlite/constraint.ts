/** Finds the refused columns in SQLite's error for a violated constraint. */

import { mentions } from '../../table/changes/check-condition.ts'
import type { Access } from '../../table/source/access.ts'
import type { Refused, Values } from '../../table/source/write-unit.ts'
import { OVERFLOW } from './computes.ts'
import type { Failure } from './failure.ts'

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
export function refusal(failure: Failure, access: Access, written: Values): Refused {
  const rule = failure.message === OVERFLOW ? 'type' : (RULES[failure.errcode ?? -1] ?? 'other')
  const columns = access.table.columns
    .map(({ name }) => name)
    .filter((name) => access.canRead(name) && concerns(rule, name))
  return rule === 'trigger'
    ? { status: 'refused', rule, columns, message: failure.message }
    : { status: 'refused', rule, columns, ...(rule === 'check' && checkOf(failure)) }

  function concerns(rule: Refused['rule'], column: string): boolean {
    if (rule === 'trigger' || rule === 'other') return false
    if (rule === 'reference') return column in written && isForeignKey(access, column)
    if (rule === 'check') return mentions(failure.message, column)
    return mentions(failure.message, `${access.table.name}.${column}`)
  }
}

/** SQLite says the name of a check, or its condition if it has none. */
function checkOf({ message }: Failure): Pick<Refused, 'condition'> {
  const [, said = ''] = /^CHECK constraint failed: ([^]+)$/.exec(message) ?? []
  return /[<>=(]/.test(said) ? { condition: said } : {}
}

const isForeignKey = ({ table }: Access, column: string): boolean =>
  table.foreignKeys.some(({ columns }) => columns.includes(column))
