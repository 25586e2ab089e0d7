/** Files of a storage, by their keys: shown by their names, in columns that are declared to hold some. */

import { namesOf } from '../../files/file-cell.ts'
import { defineKind } from '../kind.ts'
import { addressValue } from './link.ts'

export const file = defineKind({
  name: 'file',
  cell:
    ({ cut }) =>
    (value, column) =>
      cut(namesOf(column, value).join(', ')),
  // Files of the storage are drawn with their sizes; what is left may be an address.
  value: addressValue,
  endings: ['path', 'file', 'url', 'uri'],
  filter: 'none',
})
