/** What an upload field shows of a file, and what may be added to it. */

import { UPLOAD } from '../../protocol/constants.ts'
import { fileSize } from '../../protocol/file-size.ts'

export type FieldFile = {
  /** Tells it apart: the path of an upload, or whatever stands for a saved file. */
  readonly path: string
  readonly name: string
  /** Bytes. Default: not shown. */
  readonly size?: number
  /** Such as `image/png`; empty if nobody knows. */
  readonly type: string
  /** Where it can be read. Default: nowhere. */
  readonly href?: string
  /** Where a small picture of it is. Default: none. */
  readonly picture?: string
  /** What else is known of it, such as that it is not saved. Default: nothing. */
  readonly note?: string
  /** Whether it stays until another one takes its place. Default: false. */
  readonly isKept?: boolean
}

export type Limits = {
  /** Types such as `image/png` or `image/*`, or endings such as `.png`. Default: all that the server takes. */
  readonly accept?: readonly string[] | undefined
  /** Most bytes of one file. Default: what the server takes. */
  readonly maxBytes?: number | undefined
  readonly multiple: boolean
  readonly maxFiles?: number | undefined
}

/** Most files (spec §9). */
export const mostFiles = ({ multiple, maxFiles }: Limits): number =>
  multiple ? (maxFiles ?? UPLOAD.maxFilesMultiple) : UPLOAD.maxFilesSingle

/** Why a file is not sent at all, as far as its name and size tell. */
export function unfit({ accept, maxBytes }: Limits, file: File): 'otherType' | 'tooLarge' | null {
  if (accept && !accept.some((taken) => isTaken(file, taken))) return 'otherType'
  return maxBytes !== undefined && file.size > maxBytes ? 'tooLarge' : null
}

function isTaken({ name, type }: Pick<File, 'name' | 'type'>, taken: string): boolean {
  if (!isType(taken)) return name.toLowerCase().endsWith(taken)
  // The server judges by the name where the browser knows no type.
  return (
    type === '' || (taken.endsWith('/*') ? type.startsWith(taken.slice(0, -1)) : type === taken)
  )
}

/** Whether files of these types may be let go of here, as far as a browser tells while they are dragged. */
export function takesDragged({ accept }: Limits, types: readonly string[]): boolean {
  const known = accept?.filter(isType) ?? []
  const isUnknown = known.length === 0 || types.length === 0
  return (
    isUnknown || types.some((type) => known.some((taken) => isTaken({ name: '', type }, taken)))
  )
}

const isType = (taken: string): boolean => !taken.startsWith('.')

/** What stands below the name of a file that is there. */
export const factsText = (
  { size, note }: Pick<FieldFile, 'size' | 'note'>,
  locale: string,
): string => [size !== undefined && fileSize(size, locale), note].filter(Boolean).join(', ')

/** Whether pictures are taken, so that a phone can offer its camera. */
export const takesPictures = ({ accept }: Limits): boolean =>
  accept?.some((taken) => ['image/*', 'image/jpeg', '.jpg'].includes(taken)) ?? false

/** The types in a few words, such as `JPEG, PNG`; by their endings only where no types are named. */
export function typesText({ accept = [] }: Limits, pictures: string): string {
  const types = accept.filter(isType)
  return (types.length > 0 ? types : accept)
    .map((type) => (type === 'image/*' ? pictures : shortType(type)))
    .join(', ')
}

const SHORT: { readonly [type: string]: string } = {
  'text/plain': 'TXT',
  'text/markdown': 'MD',
  'audio/mpeg': 'MP3',
  'application/gzip': 'GZ',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PPTX',
}

const shortType = (type: string): string =>
  SHORT[type] ?? type.slice(type.search(/[./]/) + 1).toUpperCase()
