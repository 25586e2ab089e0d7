/** Checks objects in a configuration: the names they may have, and the value of each. */

import * as v from 'valibot'
import { own } from './define-table.ts'
import { type Problem, quoted, report, suggestion, within } from './problems.ts'

/** The values that are allowed, and how an error describes them. */
export type Field = {
  readonly schema: v.GenericSchema
  readonly expected: string
  /** The existing names, from which an error suggests one. */
  readonly names?: readonly string[]
}

export type Fields = { readonly [name: string]: Field }

export type PlainObject = { readonly [name: string]: unknown }

/** Whether it is a plain object: no list, no date, no instance of a class. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The own entries, without those that are `undefined`. */
export const entriesOf = (object: PlainObject): [string, unknown][] =>
  Object.entries(object).filter(([, value]) => value !== undefined)

/** A problem for each unknown name and each value that does not fit. */
export function checkFields(object: PlainObject, fields: Fields, path: string): Problem[] {
  return entriesOf(object).flatMap(([name, value]) => {
    const field = own(fields, name)
    const at = within(path, name)
    if (!field) return [unknown('option', name, at, Object.keys(fields))]
    return v.is(field.schema, value) ? [] : [wrong(at, field.expected, value, field.names)]
  })
}

/** The object without unknown names and values that do not fit. */
export const fitting = (object: PlainObject, fields: Fields): PlainObject =>
  Object.fromEntries(
    entriesOf(object).filter(([name, value]) => {
      const field = own(fields, name)
      return field && v.is(field.schema, value)
    }),
  )

/** If the value is a text, suggests the closest of `names`. */
export function wrong(
  path: string,
  expected: string,
  value: unknown,
  names: Iterable<string> = [],
): Problem {
  const hint = typeof value === 'string' ? suggestion(value, names) : ''
  return report(path, `expected ${expected}, not ${quoted(value)}.${hint}`)
}

/** Suggests the closest of `names`. */
export function unknown(
  what: string,
  name: string,
  path: string,
  names: Iterable<string>,
): Problem {
  return report(path, `there is no such ${what}.${suggestion(name, names)}`)
}
