/** Text of sentences and paragraphs: shown quieter than a name. */

import { type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind } from '../kind.ts'

const NAMES = setOf(`
  description desc notes note remarks remark body content comment comments bio narrative summary
  message
`)

/** Average length of long texts, and declared limit of a column for long texts, in characters. */
const LONG = 120
const LONG_LIMIT = 1000

/** By the sample, or without one by the declared limit or type. */
const isLong: ColumnTest = ({ column, sample }) => {
  if (sample.length === 0)
    return (column.maxLength ?? 0) >= LONG_LIMIT || /^(medium|long)text\b/i.test(column.declared)
  const length = sample.reduce((sum, text) => sum + text.length, 0)
  return length / sample.length > LONG
}

/** Longest text that is a name all the same, such as “Northern” in a column called description. */
const SHORT = 30

const isNoName: ColumnTest = ({ last, sample }) =>
  !/^desc/.test(last) || sample.length === 0 || sample.some((text) => text.length > SHORT)

export const longtext = defineKind({
  name: 'longtext',
  infer: [
    { types: ['text'], when: [({ last }) => NAMES.has(last), isNoName] },
    { types: ['text'], when: [isLong] },
  ],
})
