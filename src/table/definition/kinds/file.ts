/** Files of a storage, by their keys: shown by their names, in columns that are declared to hold some. */

import { readKey } from '../../../server/upload/kept-key.ts'
import { defineKind } from '../kind.ts'

export const file = defineKind({
  name: 'file',
  cell:
    ({ cut }) =>
    (value) =>
      fileName(String(value)) ?? cut(String(value)),
  endings: ['path', 'file', 'url', 'uri'],
  filter: 'none',
})

/** The name of the file that a text is the key of; `undefined` if it is none. */
export const fileName = (text: string): string | undefined => readKey(text)?.name
