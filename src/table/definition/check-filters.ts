/** Checks the shape of declared filters. */

import * as v from 'valibot'
import { isDateFormat, isDay } from '../../protocol/date-format.ts'
import { BUILDER } from '../../protocol/filters.ts'
import { LABEL_MAX } from './define-table.ts'
import {
  checkFields,
  entriesOf,
  type Field,
  type Fields,
  isPlainObject,
  type PlainObject,
  wrong,
} from './fields.ts'
import { type Problem, report } from './problems.ts'

const text = (max: number): Field => ({
  schema: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max)),
  expected: `a text of 1 to ${max} characters`,
})
const number: Field = { schema: v.pipe(v.number(), v.finite()), expected: 'a number' }
const day: Field = { schema: v.pipe(v.string(), v.check(isDay)), expected: 'such as 2024-03-05' }
const choice = v.strictObject({ value: v.string(), label: v.string() })

const COMMON: Fields = {
  type: { schema: v.string(), expected: 'a type' },
  column: { schema: v.string(), expected: 'the name of a column' },
  label: text(LABEL_MAX),
  help: text(1000),
}

/** The options of each type. */
const FIELDS: { readonly [type: string]: Fields } = {
  number: {
    ...COMMON,
    min: number,
    max: number,
    unit: {
      schema: v.pipe(v.string(), v.maxLength(12)),
      expected: 'a text of at most 12 characters',
    },
  },
  date: {
    ...COMMON,
    format: {
      schema: v.pipe(v.string(), v.check(isDateFormat)),
      expected: 'Y, m and d with separators, such as d.m.Y',
    },
    timeZone: {
      schema: v.pipe(v.string(), v.check(isTimeZone)),
      expected: 'a time zone such as Europe/Vienna',
    },
    earliest: day,
    latest: day,
  },
  choice: {
    ...COMMON,
    choices: {
      schema: v.pipe(v.array(choice), v.minLength(1), v.maxLength(100)),
      expected: 'a list of 1 to 100 { value, label }',
    },
  },
  text: COMMON,
  boolean: COMMON,
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A key stands in addresses, and in paths of updates. */
const KEY = /^[a-z]\w{0,59}$/i
const RESERVED = new Set([BUILDER, 'constructor', 'prototype'])

/** Every mistake in the shape of one filter; whether its column fits is checked elsewhere. */
export function checkFilterShape(filter: unknown, path: string, key: string): Problem[] {
  if (filter === false) return []
  const type = isPlainObject(filter) ? filter['type'] : undefined
  if (!isPlainObject(filter) || typeof type !== 'string' || !Object.hasOwn(FIELDS, type))
    return [wrong(path, 'false, or a filter as numberRange and the like make it', filter)]
  return [
    ...(KEY.test(key) && !RESERVED.has(key)
      ? []
      : [report(path, 'a key is letters, digits and underscores, 60 at most.')]),
    ...(filter['column'] === undefined ? [report(path, 'a filter needs a column.')] : []),
    ...checkFields(filter, FIELDS[type] ?? COMMON, path),
  ]
}

/** Those of the right shape. */
export const fittingFilters = (filters: PlainObject): PlainObject =>
  Object.fromEntries(
    entriesOf(filters).filter(([key, filter]) => checkFilterShape(filter, '', key).length === 0),
  )
