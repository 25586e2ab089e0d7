/** Text as it is, cut where it is long; what is of no other kind is shown like this. */

import { defineKind } from '../kind.ts'

export const text = defineKind({
  name: 'text',
  infer: [
    { by: 'structure', when: [({ column }) => column.array === true] },
    { types: ['text'], when: [({ column }) => column.allowed !== undefined] },
  ],
  defaultFor: ['text'],
  namesRows: true,
})
