/** Bytes: how many there are, and the first of them on a record page. */

import { defineKind } from '../kind.ts'

export const binary = defineKind({
  name: 'binary',
  defaultFor: ['binary'],
  check({ type, array }, _table, report) {
    if (type !== 'binary') report(`a column of ${array ? 'a list of ' : ''}${type} holds no bytes.`)
  },
  // Called for bytes that an engine returns as text; all kinds format real bytes alike.
  cell:
    ({ copy, plain }) =>
    (value) =>
      copy.bytes(plain.format(String(value).length)),
  value: (value, context) => ({ value: context.text(String(value)) }),
  isShownLast: true,
})
