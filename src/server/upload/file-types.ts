/** The types of files that can be uploaded, and how each is told by its name and its bytes. */

import { fileTypeFromBuffer } from 'file-type'

/** Endings of names, without the dot; `text` where nothing in the bytes tells the type. */
type FileType = {
  readonly endings: readonly [string, ...string[]]
  readonly isText?: true
  /** Other names that browsers give this type. */
  readonly also?: readonly string[]
}

const TYPES: { readonly [type: string]: FileType } = {
  'image/jpeg': { endings: ['jpg', 'jpeg'], also: ['image/jpg', 'image/pjpeg'] },
  'image/png': { endings: ['png'], also: ['image/x-png'] },
  'image/gif': { endings: ['gif'] },
  'image/webp': { endings: ['webp'] },
  'image/avif': { endings: ['avif'] },
  'image/heic': { endings: ['heic'] },
  'application/pdf': { endings: ['pdf'] },
  'application/zip': { endings: ['zip'], also: ['application/x-zip-compressed'] },
  'application/gzip': { endings: ['gz'], also: ['application/x-gzip'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { endings: ['docx'] },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { endings: ['xlsx'] },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': {
    endings: ['pptx'],
  },
  'audio/mpeg': { endings: ['mp3'], also: ['audio/mp3'] },
  'video/mp4': { endings: ['mp4'] },
  'text/plain': { endings: ['txt', 'log'], isText: true },
  'text/csv': { endings: ['csv'], isText: true, also: ['application/vnd.ms-excel', 'text/plain'] },
  'text/markdown': { endings: ['md'], isText: true, also: ['text/plain'] },
  'application/json': { endings: ['json'], isText: true },
}

/** All types that can be uploaded. */
export const FILE_TYPES: readonly string[] = Object.keys(TYPES)

/** Pictures that browsers show by themselves, and in which nothing runs. */
export const PICTURE_TYPES: readonly string[] = [
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
]

/** The bytes at the start of a file that tell its type. */
export const SNIFFED_BYTES = 16 * 1024

/** The type that a name and the browser's word for it stand for; `undefined` where they disagree. */
export function declaredType(name: string, declared: string): string | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const type = typeOfEnding(ending ?? '')
  const { also = [] } = TYPES[type] ?? {}
  if (type === UNKNOWN) return undefined
  const said = declared.toLowerCase().replace(/;.*/, '').trim()
  return said === '' || said === UNKNOWN || [type, ...also].includes(said) ? type : undefined
}

const UNKNOWN = 'application/octet-stream'

/** In the types of a rule: bytes of any kind are taken, as nothing else than bytes. */
export const ANY_TYPE = UNKNOWN

/** The type of names with this ending; that of any bytes if none has. */
export const typeOfEnding = (ending: string): string =>
  Object.entries(TYPES).find(([, { endings }]) => endings.includes(ending))?.[0] ?? UNKNOWN

/** The ending that a stored file of this type gets, whatever its name was. */
export const endingOf = (type: string): string => TYPES[type]?.endings[0] ?? 'bin'

/** What bytes are, as far as they tell; any bytes otherwise. */
export async function sniffed(bytes: Uint8Array): Promise<{ type: string; ending: string }> {
  const { mime = UNKNOWN } =
    (await fileTypeFromBuffer(bytes.subarray(0, SNIFFED_BYTES)).catch(() => undefined)) ?? {}
  const type = Object.hasOwn(TYPES, mime) ? mime : UNKNOWN
  return { type, ending: endingOf(type) }
}

/** The endings of names of these types, with their dots. */
export const endingsOf = (types: readonly string[]): string[] =>
  types.flatMap((type) => (TYPES[type]?.endings ?? []).map((ending) => `.${ending}`))

/** Whether bytes from the start of a file are of its type. */
export async function isOfType(type: string, start: Uint8Array): Promise<boolean> {
  if (type === ANY_TYPE) return true
  const sniffed = await fileTypeFromBuffer(start)
  if (TYPES[type]?.isText) return isText(start, sniffed?.mime)
  if (sniffed?.mime === type) return true
  // The parts of an Office file that tell it from any other archive may come later.
  return sniffed?.mime === 'application/zip' && type.startsWith('application/vnd.openxml')
}

/** What no text holds; a file of another kind has some of them near its start. */
const CONTROL = new Set(
  [...Array.from({ length: 32 }).keys()].filter((code) => ![9, 10, 12, 13].includes(code)),
)

/** Nothing marks a text, and one that begins with letters such as “BM” looks like a picture. */
function isText(start: Uint8Array, sniffed: string | undefined): boolean {
  if (start.some((byte) => CONTROL.has(byte))) return false
  return sniffed === undefined || !(sniffed === 'application/xml' || Object.hasOwn(TYPES, sniffed))
}
