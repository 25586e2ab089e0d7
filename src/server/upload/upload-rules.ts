/** What a component takes as uploads, and why a file is refused before any of its bytes are sent. */

import { UPLOAD } from '../../protocol/constants.ts'
import { fileSize } from '../../protocol/file-size.ts'
import type { FileFacts } from '../../protocol/upload.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../http/locale.ts'
import { refuse } from '../refuse.ts'
import { ANY_TYPE, declaredType, FILE_TYPES } from './file-types.ts'

export type UploadRules = {
  /** Types such as `image/png`. Default: `FILE_TYPES`, all that can be told by their bytes, and texts. */
  readonly types?: readonly string[]
  /** Most bytes of one file. Default: 12 MiB. */
  readonly maxBytes?: number
  /** Whether the property takes several files. Default: false, and another file takes the place of the first. */
  readonly multiple?: boolean
  /** Most files. Default: 1, or 1,000,000 with `multiple` (spec §9). */
  readonly maxFiles?: number
}

const MAX_BYTES = 12 * 1024 * 1024

export const typesOf = ({ types = FILE_TYPES }: UploadRules): readonly string[] => types

export const maxBytesOf = ({ maxBytes = MAX_BYTES }: UploadRules): number => maxBytes

export const maxFilesOf = ({ multiple = false, maxFiles }: UploadRules): number =>
  multiple ? (maxFiles ?? UPLOAD.maxFilesMultiple) : UPLOAD.maxFilesSingle

/** The files with the types that they are taken for. Throws `REFUSED` for all of them, with the first reason. */
export function takeFiles(
  rules: UploadRules,
  files: readonly FileFacts[],
  /** Files that the property holds already; they count where it takes several. */
  held: number,
  { language, locale }: Reader,
): readonly FileFacts[] {
  const { upload } = messagesFor(language).details
  const number = (value: number) => value.toLocaleString(locale)
  const most = maxFilesOf(rules)
  if (files.length + (rules.multiple ? held : 0) > most) refuse(upload.maxFiles(number(most)))
  return files.map((file) => {
    const why = whyUnfit(rules, file, { language, locale })
    if (why !== undefined) refuse(why)
    return { ...file, type: typeFor(rules, file) ?? file.type }
  })
}

/** Why the rules do not take a file, in a sentence; `undefined` if they do. */
export function whyUnfit(
  rules: UploadRules,
  { name, size, type: said }: FileFacts,
  { language, locale }: Pick<Reader, 'language' | 'locale'>,
): string | undefined {
  const { upload } = messagesFor(language).details
  const type = typeFor(rules, { name, type: said })
  if (type === undefined || !typesOf(rules).includes(type)) return upload.otherType(name)
  const most = maxBytesOf(rules)
  return size > most ? upload.tooLarge(name, fileSize(most, locale)) : undefined
}

/** The type that a file is taken for; `undefined` if its name and the browser's word for it disagree. */
const typeFor = (
  rules: UploadRules,
  { name, type }: Pick<FileFacts, 'name' | 'type'>,
): string | undefined => (typesOf(rules).includes(ANY_TYPE) ? ANY_TYPE : declaredType(name, type))
