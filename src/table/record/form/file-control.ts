/** A field for a file: what it takes, and the file that is stored. */

import { messagesFor } from '../../../messages/messages.ts'
import { fileSize } from '../../../protocol/file-size.ts'
import type { FieldControl } from '../../../protocol/form-view.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { endingsOf, FILE_TYPES } from '../../../server/upload/file-types.ts'
import { maxBytesOf, typesOf } from '../../../server/upload/upload-rules.ts'
import type { FileColumn } from '../../definition/file-column.ts'
import { fileName } from '../../definition/kinds/file.ts'
import { isAddress } from '../../definition/kinds/link.ts'
import type { Value } from '../../source/value.ts'
import { templates } from '../../templates.ts'

export function fileControl(
  { rules, isPicture }: FileColumn,
  value: Value,
  href: string | undefined,
  { language, locale }: Reader,
): FieldControl {
  const { form, files } = messagesFor(language)
  const types = typesOf(rules)
  const endings = endingsOf(types)
  const size = fileSize(maxBytesOf(rules), locale)
  const names = [...endings].map((ending) => ending.slice(1).toUpperCase()).join(', ')
  const address = isAddress(String(value)) ? String(value) : fileName(String(value)) && href
  return {
    ...{ is: 'file', accept: endings.join(), maxBytes: maxBytesOf(rules) },
    takes:
      types.length === FILE_TYPES.length
        ? form.files.takesAny(size)
        : form.files.takes(names, size),
    stored:
      value === null
        ? null
        : {
            ...{ name: fileText(value), isPicture: isPicture && !isAddress(String(value)) },
            ...(address && { href: address }),
          },
    words: templates(files),
  }
}

/** What people call the file. */
export const fileText = (value: Value): string => fileName(String(value)) ?? String(value)
