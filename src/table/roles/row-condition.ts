/** Makes the predicate of a role's condition on rows for one person. */

import type { Actor } from '../../server/actor.ts'
import { nothing, type Predicate } from '../source/predicate.ts'
import type { Column, ValueType } from '../source/schema.ts'
import { isValue, type Value } from '../source/value.ts'
import type { RowCondition } from './role.ts'

/** Whom a condition is about, and the columns of the tables that it names. */
export type Resolving = {
  readonly actor: Actor
  columnOf(table: string, column: string): Column | undefined
  /** Reports a function that threw, or that returned a value of another type. */
  warn(sentence: string): void
}

/** The rows of a table that fulfil the condition for this person: none where their value is not known. */
export const rowsFor = (condition: RowCondition, table: string, resolving: Resolving): Predicate =>
  resolved(condition, { ...resolving, table, isDenied: false }) ?? nothing

type Within = Resolving & {
  readonly table: string
  /** Within a `not`: there, what matches no row would match all. */
  readonly isDenied: boolean
}

/** `undefined` where a value is not known. */
function resolved(condition: RowCondition, within: Within): Predicate | undefined {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const all = condition.all.map((part) => resolved(part, within))
      const known = all.filter((part) => part !== undefined)
      const isEnough = condition.op === 'or' && !within.isDenied && known.length > 0
      return known.length === all.length || isEnough ? { op: condition.op, all: known } : undefined
    }
    case 'not': {
      const of = resolved(condition.of, { ...within, isDenied: true })
      return of && { op: 'not', of }
    }
    case 'related':
    case 'referred': {
      const where = resolved(condition.where, { ...within, table: condition.table })
      return where && { ...condition, where }
    }
    case 'null':
      return condition
    case 'in': {
      const { column } = condition
      const values = found(condition.values, within)
      if (values === undefined) return undefined
      if (Array.isArray(values) && values.every((one) => isHeld(one, column, within)))
        return { op: 'in', column, values }
      return unsuited(column, within)
    }
    case 'contains':
    case 'starts': {
      const text = found(condition.text, within)
      if (text === undefined) return undefined
      return typeof text === 'string' ? { ...condition, text } : unsuited(condition.column, within)
    }
    default: {
      const { op, column } = condition
      const value = found(condition.value, within)
      if (value === undefined) return undefined
      return isHeld(value, column, within) ? { op, column, value } : unsuited(column, within)
    }
  }
}

/** What stands there, or what the function finds for the person; `undefined` if there is nothing. */
function found(given: unknown, { actor, table, warn }: Within): unknown {
  if (typeof given !== 'function') return given
  try {
    const value: unknown = given({ actor })
    return value ?? undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    warn(`a function in the rows of [${table}] failed: ${why}`)
    return undefined
  }
}

function unsuited(column: string, { table, warn }: Within): undefined {
  warn(`a function in the rows of [${table}] returned what [${column}] does not hold.`)
}

const isHeld = (value: unknown, column: string, { columnOf, table }: Within): value is Value =>
  suits(value, columnOf(table, column)?.type)

const TYPES: Readonly<Record<ValueType, readonly string[]>> = {
  text: ['string'],
  integer: ['number', 'bigint'],
  decimal: ['number', 'string', 'bigint'],
  float: ['number'],
  // Some engines keep 0 and 1.
  boolean: ['boolean', 'number', 'bigint'],
  date: ['string'],
  datetime: ['string'],
  time: ['string'],
  json: ['string'],
  binary: [],
}

/** Whether a column of the type can hold the value, NULL aside. */
export const suits = (value: unknown, type: ValueType | undefined): boolean =>
  type !== undefined &&
  value !== null &&
  isValue(value) &&
  (value instanceof Uint8Array ? type === 'binary' : TYPES[type].includes(typeof value))
