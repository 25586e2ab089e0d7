/** Uploads on the wire: the calls of a component, the facts of a file, and where its bytes are sent (spec §4, §7). */

import { isJsonObject, type Json } from './json.ts'

/** The four calls that an upload makes to its component (spec §4). */
export const UPLOAD_CALLS = {
  start: 'start-upload',
  finish: 'finish-upload',
  errored: 'upload-errored',
  remove: 'remove-upload',
} as const

/** Where files are posted. */
export const UPLOAD_PATH = '/tablewire/uploads'

/** Where a file that nobody has kept can be read, below `UPLOAD_PATH`: `?restore=` and its path. */
export const RESTORE_PATH = '/file'

/** Where a file of another host is fetched, below `UPLOAD_PATH`: `?fetch=` and its address. */
export const FETCH_PATH = '/fetch'

/** Name of the parts that hold the files of a POST. */
export const UPLOAD_PART = 'files[]'

/** Most files of one POST; a batch of more is sent in several. */
export const UPLOAD_TOGETHER = 10

/** Headers of uploads in pieces, as those of FilePond: how long a file is, and how much of it has arrived. */
export const UPLOAD_HEADERS = { length: 'Upload-Length', offset: 'Upload-Offset' } as const

/** Bytes of a piece; larger files are sent in pieces. */
export const UPLOAD_PIECE = 5_000_000

/** What a browser knows of a file before it sends any of its bytes. */
export type FileFacts = {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** As the browser believes, such as `image/png`; empty where it does not know. */
  readonly type: string
}

/** A file that has arrived whole. A component's state holds these; `path` stands for the bytes. */
export type UploadedFile = FileFacts & { readonly path: string }

/** What `start-upload` answers: where to send the files, and the paths that they will have. */
export type UploadAddress = {
  readonly url: string
  /** One for each file, in order: `remove-upload` takes them before anything has arrived, too. */
  readonly paths: readonly string[]
  /** Bytes of each piece, where a file is sent in pieces that can be resumed. */
  readonly piece?: number
  /** Given where one file is put into a storage as it is, with these headers and no others. */
  readonly put?: { readonly headers: { readonly [name: string]: string } }
}

/** The answer to a POST of files (spec §7). */
export type StoredPaths = { readonly paths: readonly string[] }

/** The body of a 422: messages by file, such as `files.0`. */
export type UploadErrors = {
  readonly message: string
  readonly errors: { readonly [file: string]: readonly string[] }
}

/** The answer to `start-upload`. Throws for anything else. */
export function readAddress(answer: Json): UploadAddress {
  const { url, paths, put, piece } = isJsonObject(answer) ? answer : {}
  if (typeof url !== 'string' || !Array.isArray(paths))
    throw new TypeError('An upload begins with an address and paths.')
  const headers = isJsonObject(put) && isJsonObject(put['headers']) ? put['headers'] : null
  return {
    ...{ url, paths: paths.map(String) },
    ...(typeof piece === 'number' && { piece }),
    ...(headers && { put: { headers: textsOf(headers) } }),
  }
}

const textsOf = (values: { readonly [name: string]: Json }): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )

/** The files that a property holds. */
export const readFiles = (value: Json | undefined): readonly UploadedFile[] =>
  Array.isArray(value) ? value.flatMap((one) => readFile(one) ?? []) : []

function readFile(value: Json): UploadedFile | undefined {
  const { path, name, size, type } = isJsonObject(value) ? value : {}
  if (typeof path !== 'string' || typeof name !== 'string') return undefined
  if (typeof size !== 'number' || typeof type !== 'string') return undefined
  return { path, name, size, type }
}
