/** Files as values of a record: their names, sizes and addresses. */

import { messagesFor } from '../../messages/messages.ts'
import { fileSize } from '../../protocol/file-size.ts'
import { fileHref } from '../../protocol/record-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import { readKey } from '../../server/upload/kept-key.ts'
import type { Storage } from '../../server/upload/storage.ts'
import type { OpenTable } from '../catalog.ts'
import type { DrawnValue } from '../definition/kind.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'
import { BYTES_MAX } from './value.ts'

/** Sizes of a row's files by column, bytes; `null` for one that is not there any more. */
export type FileSizes = ReadonlyMap<string, number | null>

export async function sizesOf(
  { definition }: Pick<OpenTable, 'definition'>,
  values: ReadonlyMap<string, Value>,
  storage: Pick<Storage, 'size'>,
): Promise<FileSizes> {
  const keys = [...values].flatMap(([name, value]) => {
    const isKey = definition.columns.get(name)?.file && readKey(String(value))
    return isKey ? [[name, String(value)] as const] : []
  })
  return new Map(
    await Promise.all(
      keys.map(async ([name, key]) => [name, (await storage.size(key)) ?? null] as const),
    ),
  )
}

/** The row that holds a value, and its reader. */
type Place = { readonly list: string; readonly key: string; readonly reader: Reader }

/** `undefined` for a value that is no file of the storage, such as an address. */
export function fileValue(
  { name: column, file }: ColumnDefinition,
  value: Value,
  sizes: FileSizes,
  { list, key, reader }: Place,
): DrawnValue | undefined {
  const stored = file && readKey(String(value))
  if (!stored) return undefined
  const { name } = stored
  const size = sizes.get(column) ?? null
  if (size === null)
    return {
      value: { is: 'text', text: name },
      note: messagesFor(reader.language).row.lostFile,
    }
  return {
    value: {
      ...{ is: 'file', name, href: fileHref(list, key, column) },
      size: fileSize(size, reader.locale),
      isPicture: file.isPicture,
    },
  }
}

/** Bytes with their address, unless there are too many to be read at once. */
export function withDownload(
  drawn: DrawnValue,
  {
    list,
    key,
    column,
    value,
    length,
    reader,
  }: Place & {
    readonly column: string
    readonly value: Value
    readonly length: number | undefined
  },
): DrawnValue {
  if (drawn.value.is !== 'bytes' || !(value instanceof Uint8Array)) return drawn
  if ((length ?? value.byteLength) > BYTES_MAX) return drawn
  const { download: text } = messagesFor(reader.language).row
  return {
    ...drawn,
    value: { ...drawn.value, download: { href: fileHref(list, key, column), text } },
  }
}
