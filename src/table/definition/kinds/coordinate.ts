/** Degrees of latitude and longitude: about a metre in lists, every digit on the page of a row. */

import { all, type ColumnTest, setOf } from '../column-facts.ts'
import { wordsOf } from '../humanize.ts'
import { defineKind } from '../kind.ts'

const NAMES = setOf('latitude longitude lat lng')
/** Short words that mean longitude only beside a latitude. */
const BESIDE = setOf('lon long')

/** Digits after the point in a list: 0.00001° is 1.1 m. */
const DIGITS = 5

const isCalled: ColumnTest = ({ last, table }) =>
  NAMES.has(last) ||
  (BESIDE.has(last) &&
    table.columns.some(({ name }) => /^lat(itude)?$/.test(wordsOf(name).at(-1) ?? '')))

const isDegree = (text: string): boolean => Math.abs(Number(text)) <= 180

export const coordinate = defineKind({
  name: 'coordinate',
  filter: 'number',
  order: 'number',
  infer: [
    {
      types: ['decimal', 'float'],
      when: [isCalled, (facts) => facts.sample.length === 0 || all(isDegree)(facts)],
    },
  ],
  cell:
    ({ cut }) =>
    (value) =>
      // Maps take a point in every language.
      /^-?\d+(?:\.\d+)?$/.test(String(value))
        ? String(Number(Number(value).toFixed(DIGITS)))
        : cut(String(value)),
  value: (value, { text }) => ({ value: text(String(value)) }),
})
