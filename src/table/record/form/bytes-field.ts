/** Columns of bytes in the form of a row: a file that is chosen takes the place of what is stored. */

import type { FieldControl } from '../../../protocol/form-view.ts'
import { ANY_TYPE } from '../../../server/upload/file-types.ts'
import { digestOf } from '../../../server/upload/inspected.ts'
import { maxBytesOf, type UploadRules } from '../../../server/upload/upload-rules.ts'
import type { OpenTable } from '../../catalog.ts'
import { isUploadName } from '../../definition/file-column.ts'
import type { Column } from '../../source/schema.ts'
import type { Value } from '../../source/value.ts'
import { writeText } from './write-text.ts'

/** Most bytes that a form writes, or replaces: one statement sends the old and the new, and may have 16 MiB. */
export const FIELD_BYTES_MAX = 4 * 1024 * 1024

/** What an upload for the column may be; `undefined` if its bytes are changed in no form. */
export function bytesRules(
  { access: { table } }: Pick<OpenTable, 'access'>,
  name: string,
): UploadRules | undefined {
  const column = table.columns.find((one) => one.name === name)
  const named = [...table.key, ...table.foreignKeys.flatMap(({ columns }) => columns)]
  const isBytes = column?.type === 'binary' && !column.array && !column.generated
  if (!isBytes || named.includes(name) || !isUploadName(name)) return undefined
  return { types: [ANY_TYPE], maxBytes: Math.min(FIELD_BYTES_MAX, column.maxLength ?? Infinity) }
}

/** `href`: where what is stored can be read. */
export const bytesControl = (
  rules: UploadRules,
  label: string,
  value: Value,
  href: string | undefined,
): FieldControl => ({
  ...{ is: 'file', maxBytes: maxBytesOf(rules) },
  stored:
    value instanceof Uint8Array
      ? [
          {
            ...{ path: textOfBytes(value), name: label, type: '', size: value.byteLength },
            ...(href !== undefined && { href }),
          },
        ]
      : [],
})

/** As `writeText`, but of bytes a text that tells them from others. */
export const textOfField = (value: Value, column: Column | undefined): string | null =>
  value instanceof Uint8Array ? textOfBytes(value) : writeText(value, column)

const textOfBytes = (bytes: Uint8Array): string => `${bytes.byteLength}:${digestOf(bytes)}`
