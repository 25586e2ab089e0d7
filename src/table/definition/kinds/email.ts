/** Email addresses. */

import { all, any, type ColumnTest } from '../column-facts.ts'
import { defineKind } from '../kind.ts'
import { addressValue } from './link.ts'

/** Such as `email`, `mail`, `e_mail` or `email_address`. */
const isCalledEmail: ColumnTest = ({ words, last }) =>
  last === 'email' || /^mail$|\b(?:e mail|email address)$/.test(words.join(' '))

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

export const email = defineKind({
  name: 'email',
  infer: [
    { types: ['text'], when: [all(isEmail)] },
    { types: ['text'], when: [isCalledEmail, any(isEmail)] },
  ],
  value: addressValue,
  namesRows: true,
})
