/** A field for files: what it takes, and the files that are stored. */

import type { FieldControl, StoredFile } from '../../../protocol/form-view.ts'
import { pictureHref } from '../../../protocol/record-view.ts'
import { endingsOf, FILE_TYPES } from '../../../server/upload/file-types.ts'
import { readKey } from '../../../server/upload/kept-key.ts'
import { maxBytesOf, typesOf } from '../../../server/upload/upload-rules.ts'
import type { FileColumn } from '../../definition/file-column.ts'
import { isAddress } from '../../definition/kinds/link.ts'
import { keysIn } from '../../files/key-list.ts'
import type { Value } from '../../source/value.ts'

/** `hrefOf`: where the files of the column can be read, and one of a list by its id; `undefined` if nowhere. */
export function fileControl(
  file: FileColumn,
  value: Value,
  hrefOf: (id?: string) => string | undefined,
): FieldControl {
  const { rules, isPicture, list } = file
  const types = typesOf(rules)
  const takesAll = types.length === FILE_TYPES.length
  return {
    ...{ is: 'file', maxBytes: maxBytesOf(rules) },
    ...(!takesAll && { accept: [...types, ...endingsOf(types)] }),
    ...(list && { isList: true }),
    ...(rules.maxFiles !== undefined && { maxFiles: rules.maxFiles }),
    stored: keysIn(file, value).map(storedFile),
  }

  /** An address that the column holds besides is a link, and nothing is loaded from there. */
  function storedFile(path: string): StoredFile {
    const stored = readKey(path)
    if (!stored) return { path, name: path, type: '', ...(isAddress(path) && { href: path }) }
    const { id, name, type } = stored
    const href = hrefOf(list && id)
    return {
      ...{ path, name, type },
      ...(href !== undefined && {
        href,
        ...(isPicture && { picture: pictureHref(href, 'small') }),
      }),
    }
  }
}
