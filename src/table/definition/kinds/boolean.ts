/** Yes or no. */

import { all, type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind } from '../kind.ts'

const NAMES = setOf(`
  active enabled disabled visible hidden public published archived deleted verified confirmed
  approved paid locked blocked default primary required optional featured open done live draft private flag
`)
const QUESTIONS = setOf('is has can was are should allow allows')

/** Such as `paid` or `is_open`. */
const isCalledBoolean: ColumnTest = ({ words, last }) =>
  NAMES.has(last) || QUESTIONS.has(words[0] ?? '')

const isBit = (text: string): boolean => text === '0' || text === '1'

/** Words of what is counted or numbered, which may happen to be 0 or 1 in a few rows. */
const NUMBERS = setOf(`
  count number quantity qty level position rank order version revision attempts retries total sum amount
  score rating priority flags type status state role mode kind id limit used size length stock
`)

/** Fewest values that show that there are two of them alone. */
const SHOWING = 8

/** Both values, and nothing else, in a column whose name counts nothing. */
const holdsBits: ColumnTest = ({ sample, words, column }) =>
  sample.length >= SHOWING &&
  new Set(sample).size === 2 &&
  /^(?:tiny|small)?int|^bit|^num|^$/i.test(column.declared) &&
  !words.some((word) => NUMBERS.has(word) || NUMBERS.has(word.replace(/s$/, '')))

export const boolean = defineKind({
  name: 'boolean',
  filter: 'boolean',
  infer: [
    { types: ['integer'], when: [isCalledBoolean, all(isBit)] },
    { types: ['integer'], when: [holdsBits, all(isBit)] },
  ],
  defaultFor: ['boolean'],
  cell:
    ({ copy, cut }) =>
    (value) => {
      if (value === true || value === 1) return copy.yes
      return value === false || value === 0 ? copy.no : cut(String(value))
    },
  beginnings: ['is'],
  // In a column of integers, 0 stands for no.
  order: 'boolean',
})
