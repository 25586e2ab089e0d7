/** Finds the refused columns in PostgreSQL's error for a violated constraint. */

import * as v from 'valibot'
import type { Access } from '../../table/source/access.ts'
import type { Refused, Values } from '../../table/source/write-unit.ts'
import { stateOf } from './failure.ts'
import type { PostgresTable } from './tables.ts'

/** By SQLSTATE or its beginning; the first match decides. */
const RULES: readonly (readonly [RegExp, Refused['rule']])[] = [
  [/^23502$/, 'required'],
  [/^23(505|P01)$/, 'unique'],
  [/^23(503|001)$/, 'reference'],
  [/^23514$/, 'check'],
  [/^44000$/, 'leaving'],
  [/^428C9$/, 'view'],
  [/^P0/, 'trigger'],
  [/^22/, 'type'],
  [/^(23|0A000|09|27|2F|38|39|55000)/, 'other'],
]

const errorSchema = v.object({
  message: v.string(),
  schema: v.optional(v.string()),
  table: v.optional(v.string()),
  column: v.optional(v.string()),
  constraint: v.optional(v.string()),
  dataType: v.optional(v.string()),
})

type ServerError = v.InferOutput<typeof errorSchema>

/** What some types say of a text that is none of theirs, with the state of another error. */
const UNREADABLE =
  /^syntax error.* in ts(vector|query)|^syntax error(, unexpected| near ".*" at position)|^unexpected end of string|jsonpath/i

/** The rule that refused a change; `undefined` for any other failure. */
export function ruleOf(error: unknown): Refused['rule'] | undefined {
  const state = stateOf(error) ?? ''
  if (/^(42601|XX000)$/.test(state))
    return error instanceof Error && UNREADABLE.test(error.message) ? 'type' : undefined
  return RULES.find(([pattern]) => pattern.test(state))?.[1]
}

/** `written` are the refused values. Names only columns that the actor may read. */
export function refusal(
  error: unknown,
  of: PostgresTable,
  access: Access,
  written: Values,
): Refused {
  const rule = ruleOf(error) ?? 'other'
  const failure = v.parse(errorSchema, error)
  const columns = columnsOf(failure, rule, of, written).filter((column) => access.canRead(column))
  return {
    status: 'refused',
    rule,
    columns,
    ...(rule === 'trigger' && { message: failure.message }),
  }
}

function columnsOf(
  failure: ServerError,
  rule: Refused['rule'],
  of: PostgresTable,
  written: Values,
): string[] {
  const { schema, table, column, constraint, dataType } = failure
  const isHere = table === undefined || (schema === of.place.schema && table === of.place.table)
  if (!isHere) return []
  if (column !== undefined) return [column]
  const named = constraint === undefined ? undefined : of.constraints.get(constraint)
  if (named) return [...named]
  if (dataType !== undefined) return Object.keys(written).filter((one) => isOf(of, one, dataType))
  return rule === 'type' ? tooLong(of, written) : []
}

/** An error from a domain's constraint names only the domain. */
const isOf = ({ columns }: PostgresTable, column: string, domain: string): boolean =>
  columns.get(column)?.declared.split('.').at(-1)?.replaceAll('"', '') === domain

/** The server does not say which column's value was too long or too large. */
function tooLong({ columns }: PostgresTable, values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === null) return []
    const { maxLength, precision, scale = 0 } = columns.get(name) ?? {}
    const isLong = maxLength !== undefined && [...String(value)].length > maxLength
    const isGreat = precision !== undefined && Math.abs(Number(value)) >= 10 ** (precision - scale)
    return isLong || isGreat ? [name] : []
  })
}
