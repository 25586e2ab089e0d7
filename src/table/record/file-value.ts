/** Files as values of a record: their names, sizes and addresses. */

import { messagesFor } from '../../messages/messages.ts'
import { fileSize } from '../../protocol/file-size.ts'
import { fileHref, type FileView } from '../../protocol/record-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import { readKey } from '../../server/upload/kept-key.ts'
import type { Storage } from '../../server/upload/storage.ts'
import type { OpenTable } from '../catalog.ts'
import type { DrawnValue } from '../definition/kind.ts'
import { isAddress } from '../definition/kinds/link.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import { keysIn } from '../files/key-list.ts'
import type { Value } from '../source/value.ts'
import { BYTES_MAX } from './value.ts'

/** Files of a row whose sizes are asked for. */
const SIZES_MAX = 100

/** Sizes of a row's files by their keys, bytes; `null` for one that is not there any more. */
export type FileSizes = ReadonlyMap<string, number | null>

export async function sizesOf(
  { definition }: Pick<OpenTable, 'definition'>,
  values: ReadonlyMap<string, Value>,
  storage: Pick<Storage, 'size'>,
): Promise<FileSizes> {
  const keys = [...values].flatMap(([name, value]) => {
    const file = definition.columns.get(name)?.file
    return file ? keysIn(file, value).filter((key) => readKey(key)) : []
  })
  const sizes = keys
    .slice(0, SIZES_MAX)
    .map(async (key) => [key, (await storage.size(key)) ?? null] as const)
  return new Map(await Promise.all(sizes))
}

/** The row that holds a value, and its reader. */
type Place = { readonly list: string; readonly key: string; readonly reader: Reader }

/** `undefined` for a value that is no file of the storage, such as an address. */
export function fileValue(
  { name: column, file }: ColumnDefinition,
  value: Value,
  {
    sizes,
    length,
    list,
    key: row,
    reader,
  }: Place & {
    readonly sizes: FileSizes
    /** Of the whole value, where only its beginning was read. */
    readonly length: number | undefined
  },
): DrawnValue | undefined {
  if (!file || value === null) return undefined
  const keys = keysIn(file, value)
  const { lostFile, notAllFiles } = messagesFor(reader.language).row
  if (file.list && keys.length === 0) return { value: { is: 'empty' } }
  if (!file.list && !keys.some((key) => readKey(key))) return undefined
  const files = keys.map((key): FileView => {
    const stored = readKey(key)
    // An address is a link, and nothing is loaded from there.
    if (!stored) return { name: key, ...(isAddress(key) && { href: key, isElsewhere: true }) }
    const { name, id } = stored
    const size = sizes.get(key)
    if (size === null) return { name, note: lostFile }
    return {
      ...{ name, href: fileHref(list, row, column, file.list && id) },
      ...(size !== undefined && { note: fileSize(size, reader.locale) }),
      ...(file.isPicture && { isPicture: true }),
    }
  })
  return { value: { is: 'files', files }, ...(length !== undefined && { note: notAllFiles }) }
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
