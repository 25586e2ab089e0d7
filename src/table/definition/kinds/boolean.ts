/** Yes or no. */

import { all, type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind } from '../kind.ts'

const NAMES = setOf(`
  active enabled disabled visible hidden public published archived deleted verified confirmed
  approved paid locked blocked default primary required optional featured open done
`)
const QUESTIONS = setOf('is has can was are should allow allows')

/** Such as `paid` or `is_open`. */
const isCalledBoolean: ColumnTest = ({ words, last }) =>
  NAMES.has(last) || QUESTIONS.has(words[0] ?? '')

const isBit = (text: string): boolean => text === '0' || text === '1'

export const boolean = defineKind({
  name: 'boolean',
  filter: 'boolean',
  infer: [{ types: ['integer'], when: [isCalledBoolean, all(isBit)] }],
  defaultFor: ['boolean'],
  cell:
    ({ copy, cut }) =>
    (value) => {
      if (value === true || value === 1) return copy.yes
      return value === false || value === 0 ? copy.no : cut(String(value))
    },
  // In a column of integers, 0 stands for no.
  order: 'boolean',
})
