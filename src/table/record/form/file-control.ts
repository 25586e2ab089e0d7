/** A field for a file: what it takes, and the file that is stored. */

import type { FieldControl, StoredFile } from '../../../protocol/form-view.ts'
import { pictureHref } from '../../../protocol/record-view.ts'
import { endingsOf, FILE_TYPES } from '../../../server/upload/file-types.ts'
import { readKey } from '../../../server/upload/kept-key.ts'
import { maxBytesOf, typesOf } from '../../../server/upload/upload-rules.ts'
import type { FileColumn } from '../../definition/file-column.ts'
import { fileName } from '../../definition/kinds/file.ts'
import { isAddress } from '../../definition/kinds/link.ts'
import type { Value } from '../../source/value.ts'

export function fileControl(
  { rules, isPicture }: FileColumn,
  value: Value,
  href: string | undefined,
): FieldControl {
  const types = typesOf(rules)
  const takesAll = types.length === FILE_TYPES.length
  return {
    ...{ is: 'file', maxBytes: maxBytesOf(rules) },
    ...(!takesAll && { accept: [...types, ...endingsOf(types)] }),
    stored: value === null || value === '' ? null : storedFile(String(value), isPicture, href),
  }
}

/** An address that the column holds besides is a link, and nothing is loaded from there. */
function storedFile(text: string, isPicture: boolean, href: string | undefined): StoredFile {
  const file = readKey(text)
  if (!file) return { name: text, type: '', ...(isAddress(text) && { href: text }) }
  return {
    ...file,
    ...(href !== undefined && { href, ...(isPicture && { picture: pictureHref(href, 'small') }) }),
  }
}

/** What people call the file. */
export const fileText = (value: Value): string => fileName(String(value)) ?? String(value)
