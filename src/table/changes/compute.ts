/** Works out new values from a row that was read, where the table's own rules are to judge them. */

import { calculated } from '../source/exact.ts'
import { type Computed, isComputed, type NewValues, suits } from '../source/computed.ts'
import type { Column, Table } from '../source/schema.ts'
import type { Value } from '../source/value.ts'
import type { Values } from '../source/write-unit.ts'

/** The values, or the columns for which that cannot be worked out. */
export type ComputedValues = { readonly values: Values } | { readonly unsuited: readonly string[] }

/** `now` is in ms. */
export function computeValues(
  { columns }: Table,
  wanted: NewValues,
  row: Values,
  now: number,
): ComputedValues {
  const columnOf = (name: string): Column | undefined => columns.find((one) => one.name === name)
  const values = Object.entries(wanted).map(([name, value]) => {
    const column = columnOf(name)
    if (!isComputed(value) || !column) return [name, isComputed(value) ? undefined : value] as const
    const other = 'column' in value ? columnOf(value.column) : undefined
    return [
      name,
      suits(value, column, other) ? valueOf(value, { column, row, now }) : undefined,
    ] as const
  })
  const unsuited = values.flatMap(([name, value]) => (value === undefined ? [name] : []))
  const known = values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return unsuited.length > 0 ? { unsuited } : { values: Object.fromEntries(known) }
}

type Computing = { readonly column: Column; readonly row: Values; readonly now: number }

function valueOf(computed: Computed, { column, row, now }: Computing): Value | undefined {
  if ('column' in computed) return row[computed.column] ?? null
  if ('now' in computed) return momentOf(column, now)
  const held = row[column.name] ?? null
  if (held === null) return null
  if ('append' in computed) return `${String(held)}${computed.append}`
  if ('replace' in computed) return String(held).replaceAll(computed.replace, () => computed.with)
  const [by, amount] =
    'add' in computed
      ? (['add', computed.add] as const)
      : (['multiply', computed.multiply] as const)
  if (column.type === 'float')
    return by === 'add' ? Number(held) + Number(amount) : Number(held) * Number(amount)
  if (typeof held !== 'number' && typeof held !== 'bigint' && typeof held !== 'string')
    return undefined
  const scale = column.type === 'integer' ? 0 : (column.scale ?? column.namedScale)
  const text = calculated(held, by, amount, scale)
  return text === undefined ? undefined : numberOf(text, column)
}

/** As row sources give numbers: in a text only what a double cannot hold. */
function numberOf(text: string, { type }: Column): Value {
  const number = Number(text)
  if (type === 'integer') return Number.isSafeInteger(number) ? number : BigInt(text)
  return String(number) === text ? number : text
}

function momentOf({ type, zoned }: Column, now: number): string {
  const text = new Date(now).toISOString()
  const [day, time] = [text.slice(0, 10), text.slice(11, 19)]
  if (type === 'date') return day
  const offset = zoned ? '+00' : ''
  return type === 'time' ? `${time}${offset}` : `${day} ${time}${offset}`
}
