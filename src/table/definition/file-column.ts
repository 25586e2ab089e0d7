/** Columns that hold files: what they take, and which columns may. */

import { FILE_TYPES, PICTURE_TYPES } from '../../server/upload/file-types.ts'
import { KEY_LETTERS } from '../../server/upload/kept-key.ts'
import type { UploadRules } from '../../server/upload/upload-rules.ts'
import type { Column, Table } from '../source/schema.ts'
import type { ColumnOptions } from './define-table.ts'
import { type Problem, report } from './problems.ts'

export type FileColumn = {
  readonly rules: UploadRules
  /** Whether it holds pictures, which lists show small. */
  readonly isPicture: boolean
}

/** The types that a column of the kind may take. */
export const typesOfKind = (kind: string | undefined): readonly string[] =>
  kind === 'image' ? PICTURE_TYPES : FILE_TYPES

/** What the column takes; `undefined` if it holds no files. The options have been checked. */
export function fileColumn({
  kind,
  storage,
  types = typesOfKind(kind),
  maxBytes,
}: ColumnOptions): FileColumn | undefined {
  if (storage === undefined) return undefined
  return {
    rules: { types, ...(maxBytes !== undefined && { maxBytes }) },
    isPicture: kind === 'image',
  }
}

/** Reports why the column cannot hold keys of files. */
export function checkFileColumn(
  { name, type, array, generated, allowed, maxLength = KEY_LETTERS }: Column,
  { key, foreignKeys }: Table,
  at: string,
): Problem | undefined {
  if (type !== 'text' || array || allowed)
    return report(at, 'only a column of text can hold the paths of files.')
  if (generated) return report(at, 'the database writes this column by itself.')
  if ([...key, ...foreignKeys.flatMap(({ columns }) => columns)].includes(name))
    return report(at, 'a column of a key cannot hold the path of a file.')
  if (maxLength < KEY_LETTERS)
    return report(at, `the path of a file takes up to ${KEY_LETTERS} letters.`)
  return isUploadName(name) ? undefined : report(at, 'a column with such a name takes no files.')
}

/** Whether the name can be a part of the path of an upload. */
export const isUploadName = (name: string): boolean =>
  /^[^.]{1,100}$/.test(name) && !Object.hasOwn(Object.prototype, name)
