/** The tests that a filter offers: what its value may say, and how one value becomes another. */

import { DATE_PICKER } from '../../protocol/constants.ts'
import {
  type DayBound,
  type FilterControl,
  type FilterOffer,
  type FilterValue,
  type OneOf,
  type TextFilter,
  TEXT_TESTS,
  type TextTest,
} from '../../protocol/filters.ts'
import type { AnyValue } from './control.ts'

/** `range`: between two bounds. `in`, `notIn`: one of several values, or none of them. */
export type Mode =
  | 'range'
  | 'since'
  | 'until'
  | TextTest
  | `not-${TextTest}`
  | 'in'
  | 'notIn'
  | 'empty'
  | 'filled'

const TEXT_MODES: readonly Mode[] = [
  ...TEXT_TESTS,
  ...TEXT_TESTS.map((test) => `not-${test}` as const),
]

const OWN: { readonly [type in FilterControl['type']]: readonly Mode[] } = {
  number: ['range', 'in', 'notIn'],
  date: ['range', 'since', 'until'],
  text: [...TEXT_MODES, 'in', 'notIn'],
  choice: ['in', 'notIn'],
  relation: ['in', 'notIn'],
  boolean: [],
  related: [],
}

/** The tests on offer, the usual one first; that of an address may be one that no control is drawn for. */
export const modesOf = ({ control, nullable }: FilterOffer, value?: AnyValue): readonly Mode[] => {
  const own = OWN[control.type]
  const all: readonly Mode[] = nullable && own.length > 0 ? [...own, 'empty', 'filled'] : own
  const said = value && modeIn(value)
  return said === undefined || all.includes(said) ? all : [...all, said]
}

/** The test that the value says; the usual one where there is no value. */
export function modeOf(offer: FilterOffer, value: AnyValue | undefined): Mode {
  return (value && modeIn(value)) ?? modesOf(offer)[0] ?? 'in'
}

/** The test that a value says; `undefined` where it says none. */
function modeIn(value: AnyValue): Mode | undefined {
  if ('empty' in value) return value.empty ? 'empty' : 'filled'
  if ('notIn' in value) return 'notIn'
  if ('in' in value) return 'in'
  if ('since' in value) return 'since'
  if ('until' in value) return 'until'
  if ('test' in value) return value.not ? `not-${value.test}` : value.test
  return 'min' in value || 'max' in value || isDateRange(value) ? 'range' : undefined
}

const isDateRange = (value: AnyValue): boolean => 'minDate' in value || 'preset' in value

/** The control for a value: that of the filter, unless the value is of another form. */
export function controlFor({ control }: FilterOffer, value: AnyValue | undefined): FilterControl {
  if (value === undefined) return control
  if ('test' in value) return control.type === 'text' ? control : { type: 'text' }
  if ('min' in value || 'max' in value)
    return control.type === 'number' ? control : { type: 'number', thousandths: true }
  if ('is' in value) return { type: 'boolean' }
  if (control.type === 'date' || !(isDateRange(value) || 'since' in value || 'until' in value))
    return control
  const { format, weekStart } = DATE_PICKER
  return { type: 'date', format, weekStart, zone: 'UTC' }
}

/** The text filter that a test and a text make. */
export const textFilter = (mode: Mode, text: string): TextFilter => {
  const isNot = mode.startsWith('not-')
  const test = TEXT_TESTS.find((one) => mode === one || mode === `not-${one}`) ?? 'contains'
  return { test, text, ...(isNot && { not: true }) }
}

export const oneOf = (mode: Mode, values: readonly (string | null)[]): OneOf =>
  mode === 'notIn' ? { notIn: [...values] } : { in: [...values] }

/** The values of “one of” and “none of”. */
export const valuesOf = (value: AnyValue | undefined): readonly (string | null)[] =>
  value && 'in' in value ? value.in : value && 'notIn' in value ? value.notIn : []

/**
 * The value once another test was chosen: `null` to remove the filter, `undefined` where nothing
 * changes before the person enters more.
 */
export function switched(
  offer: FilterOffer,
  value: AnyValue | undefined,
  mode: Mode,
): FilterValue | null | undefined {
  if (mode === 'empty' || mode === 'filled') return { empty: mode === 'empty' }
  if (value === undefined) return undefined
  const values = valuesOf(value)
  if (mode === 'in' || mode === 'notIn') return values.length > 0 ? oneOf(mode, values) : null
  if (mode === 'since' || mode === 'until') return dayBound(mode, dayIn(value, mode))
  return 'test' in value && mode !== 'range' ? textFilter(mode, value.text) : null
}

/** The filter for days from a day on, or up to it. */
export const dayBound = (mode: 'since' | 'until', day: string | undefined): DayBound | null => {
  if (day === undefined) return null
  return mode === 'since' ? { since: day } : { until: day }
}

/** The day of a value that a test can keep. */
function dayIn(value: AnyValue, mode: 'since' | 'until'): string | undefined {
  if ('since' in value) return value.since
  if ('until' in value) return value.until
  if (!('minDate' in value)) return undefined
  return mode === 'since' ? value.minDate : value.maxDate
}
