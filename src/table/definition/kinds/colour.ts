/** Colours in hexadecimal digits, such as `#0b6172`. */

import { INLINE } from '../../record/inline.ts'
import { all, any, type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind } from '../kind.ts'

const NAMES = setOf('colour color hex')

const isColour = (text: string): boolean => /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text)

/** Without a letter, `#123456` could be the number of anything. */
const hasLetters: ColumnTest = ({ sample }) => sample.some((text) => /[a-f]/i.test(text))

export const colour = defineKind({
  name: 'colour',
  infer: [
    { types: ['text'], when: [all(isColour), hasLetters] },
    { types: ['text'], when: [({ last }) => NAMES.has(last), any(isColour)] },
  ],
  value(value, context) {
    const text = String(value)
    const isShort = text.length <= INLINE.length
    return { value: isShort ? { is: 'colour', text } : context.text(text) }
  },
})
