/** Columns that hold files: what they take, and which columns may. */

import { FILE_TYPES, PICTURE_TYPES } from '../../server/upload/file-types.ts'
import { KEY_LETTERS } from '../../server/upload/kept-key.ts'
import type { UploadRules } from '../../server/upload/upload-rules.ts'
import type { ListForm } from '../files/key-list.ts'
import type { Column, Table } from '../source/schema.ts'
import type { ColumnOptions } from './define-table.ts'
import { type Problem, report } from './problems.ts'

export type FileColumn = {
  readonly rules: UploadRules
  /** Whether it holds pictures, which lists show small. */
  readonly isPicture: boolean
  /** How it holds several files. Absent: it holds one. */
  readonly list?: ListForm
}

/** The types that a column of the kind may take. */
export const typesOfKind = (kind: string | undefined): readonly string[] =>
  kind === 'image' ? PICTURE_TYPES : FILE_TYPES

/** What the column takes; `undefined` if it holds no files. The options have been checked. */
export function fileColumn(
  { kind, storage, types = typesOfKind(kind), maxBytes, multiple = false }: ColumnOptions,
  { array = false }: Pick<Column, 'array'>,
): FileColumn | undefined {
  if (storage === undefined) return undefined
  const isList = multiple !== false
  return {
    rules: {
      ...{ types, ...(maxBytes !== undefined && { maxBytes }) },
      ...(isList && { multiple: true, ...(multiple !== true && { maxFiles: multiple }) }),
    },
    isPicture: kind === 'image',
    ...(isList && { list: array ? 'array' : 'json' }),
  }
}

/** Reports why the column cannot hold keys of files. */
export function checkFileColumn(
  { name, type, array = false, generated, allowed, maxLength = Infinity }: Column,
  { key, foreignKeys }: Table,
  { multiple = false }: ColumnOptions,
  at: string,
): Problem | undefined {
  const isList = array || type === 'json'
  const isText = type === 'text' || (type === 'json' && !array)
  if (!isText || allowed) return report(at, 'only a column of text can hold the paths of files.')
  if (isList && multiple === false)
    return report(at, 'it can hold a list of files: say so with multiple.')
  if (generated) return report(at, 'the database writes this column by itself.')
  if ([...key, ...foreignKeys.flatMap(({ columns }) => columns)].includes(name))
    return report(at, 'a column of a key cannot hold the path of a file.')
  if (multiple === true && !array && maxLength < Infinity)
    return report(at, 'its length is limited: say how many files it holds, such as multiple: 3.')
  const letters = typeof multiple === 'number' && !array ? lettersOf(multiple) : KEY_LETTERS
  if (maxLength < letters)
    return report(
      at,
      letters === KEY_LETTERS
        ? `the path of a file takes up to ${letters} letters.`
        : `the paths of so many files take up to ${letters} letters.`,
    )
  return isUploadName(name) ? undefined : report(at, 'a column with such a name takes no files.')
}

/** The letters of a list of JSON with so many keys. */
const lettersOf = (keys: number): number => keys * (KEY_LETTERS + '"",'.length) + '[]'.length

/** Whether the name can be a part of the path of an upload. */
export const isUploadName = (name: string): boolean =>
  /^[^.]{1,100}$/.test(name) && !Object.hasOwn(Object.prototype, name)
