/** Objects that a person writes: which names they may have, and what each of them may hold. */

import * as v from 'valibot'
import { own } from './define-table.ts'
import { nearest, type Problem, report, said, within } from './problems.ts'

/** What may be written, and how that is said to somebody who wrote something else. */
export type Field = {
  readonly schema: v.GenericSchema
  readonly expected: string
  /** The names that there are, to tell which one was probably meant. */
  readonly names?: readonly string[]
}

export type Fields = { readonly [name: string]: Field }

export type Written = { readonly [name: string]: unknown }

/** An object as it is written in code: no list, no date, nothing with a life of its own. */
export function isWritten(value: unknown): value is Written {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** What stands in the object itself and was not left open. */
export const entriesOf = (written: Written): [string, unknown][] =>
  Object.entries(written).filter(([, value]) => value !== undefined)

/** Names that there are not, and values that do not fit. */
export function checkFields(written: Written, fields: Fields, path: string): Problem[] {
  return entriesOf(written).flatMap(([name, value]) => {
    const field = own(fields, name)
    const at = within(path, name)
    if (!field) return [unknown('option', name, at, Object.keys(fields))]
    return v.is(field.schema, value) ? [] : [wrong(at, field.expected, value, field.names)]
  })
}

/** The object with nothing but what fits. */
export const fitting = (written: Written, fields: Fields): Written =>
  Object.fromEntries(
    entriesOf(written).filter(([name, value]) => {
      const field = own(fields, name)
      return field && v.is(field.schema, value)
    }),
  )

/** A text is looked for among `names`, to tell what was probably meant. */
export function wrong(
  path: string,
  expected: string,
  value: unknown,
  names: Iterable<string> = [],
): Problem {
  const meant = typeof value === 'string' ? nearest(value, names) : undefined
  return report(path, `expected ${expected}, not ${said(value)}.${hint(meant)}`)
}

/** `name` is looked for among `names`, to tell what was probably meant. */
export function unknown(
  what: string,
  name: string,
  path: string,
  names: Iterable<string>,
): Problem {
  return report(path, `there is no such ${what}.${hint(nearest(name, names))}`)
}

const hint = (meant: string | undefined): string =>
  meant === undefined ? '' : ` Did you mean ${said(meant)}?`
