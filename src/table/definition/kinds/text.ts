/** Text as it is, cut if it is long; the kind of columns that no other kind fits. */

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
