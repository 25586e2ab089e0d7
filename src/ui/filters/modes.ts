/** The tests that a filter offers: what its value may say, and how one value becomes another. */

import {
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
export type Mode = 'range' | TextTest | `not-${TextTest}` | 'in' | 'notIn' | 'empty' | 'filled'

const TEXT_MODES: readonly Mode[] = [
  ...TEXT_TESTS,
  ...TEXT_TESTS.map((test) => `not-${test}` as const),
]

const OWN: { readonly [type in FilterControl['type']]: readonly Mode[] } = {
  number: ['range', 'in', 'notIn'],
  date: ['range'],
  text: [...TEXT_MODES, 'in', 'notIn'],
  choice: ['in', 'notIn'],
  relation: ['in', 'notIn'],
  boolean: [],
  related: [],
}

/** The tests on offer, the usual one first. */
export const modesOf = ({ control, nullable }: FilterOffer): readonly Mode[] => {
  const own = OWN[control.type]
  return nullable && own.length > 0 ? [...own, 'empty', 'filled'] : own
}

/** The test that the value says; the usual one where there is no value. */
export function modeOf(offer: FilterOffer, value: AnyValue | undefined): Mode {
  const usual = modesOf(offer)[0] ?? 'in'
  if (value === undefined) return usual
  if ('empty' in value) return value.empty ? 'empty' : 'filled'
  if ('notIn' in value) return 'notIn'
  if ('in' in value) return 'in'
  if ('test' in value) return value.not ? `not-${value.test}` : value.test
  return usual
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
  return 'test' in value && mode !== 'range' ? textFilter(mode, value.text) : null
}
