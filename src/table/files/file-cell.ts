/** Files in the cells of a list: pictures small, names of other files as links to their row. */

import { fileHref } from '../../protocol/record-view.ts'
import type { Cell } from '../../protocol/table-view.ts'
import { readKey } from '../../server/upload/kept-key.ts'
import type { ColumnDefinition } from '../definition/table-definition.ts'
import type { Value } from '../source/value.ts'
import { keysIn } from './key-list.ts'

/** Files that a cell shows; of the others it tells how many there are. */
const SHOWN = 3

/** Characters of a list of files that a cell reads. */
export const LIST_READ = 20_000

type Place = {
  /** Address of the table's listing. */
  readonly list: string
  /** The row's key. */
  readonly key: string
}

/** `undefined` where the column holds no file of the storage, so that its text is shown. */
export function fileCell(
  { name: column, file }: ColumnDefinition,
  value: Value,
  { list, key }: Place,
): Cell | undefined {
  if (!file) return undefined
  const keys = keysIn(file, value)
  const stored = keys.flatMap((one) => readKey(one) ?? [])
  if (stored.length === 0) return keys.length === 0 && value !== null ? '' : undefined
  const first = stored.slice(0, file.list ? SHOWN : 1)
  const more = keys.length > first.length ? ` +${keys.length - first.length}` : ''
  const names = first.map(({ name }) => name).join(', ')
  if (!file.isPicture) return [names + more, key]
  const hrefs = first.map(({ id }) => fileHref(list, key, column, file.list && id))
  return [names, hrefs.join(' ') + more]
}

/** The names of all files that a value holds. */
export const namesOf = (
  { file }: Pick<ColumnDefinition, 'file'>,
  value: Value,
): readonly string[] => keysIn(file ?? {}, value).map((key) => readKey(key)?.name ?? key)
