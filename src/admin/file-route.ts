/** The route of files that rows hold: each request asks the policy about the row and its column. */

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PictureSize } from '../protocol/record-view.ts'
import type { Actor } from '../server/actor.ts'
import { AppError } from '../server/app-error.ts'
import { disposition } from '../server/http/disposition.ts'
import { abortOnClose } from '../server/http/end-of-request.ts'
import { visitorLimit } from '../server/rate-limit.ts'
import { INERT } from '../server/upload/file-headers.ts'
import { PICTURE_TYPES, sniffed } from '../server/upload/file-types.ts'
import { THUMBNAIL_TYPE, type Thumbnails } from '../server/upload/thumbnails.ts'
import { readKey } from '../server/upload/kept-key.ts'
import type { ByteRange, Storage } from '../server/upload/storage.ts'
import type { Catalog } from '../table/catalog.ts'
import { keysIn } from '../table/files/key-list.ts'
import { BYTES_MAX } from '../table/record/value.ts'
import type { RowSource } from '../table/source/row-source.ts'
import { type Addresses, PATHS } from './addresses.ts'
import { checkLength, tableIn } from './pages/list-page.ts'
import type { Visitors } from './sign-in/visitors.ts'

/** A page of a list may show a hundred pictures. */
const FILES_PER_MINUTE = 3000
/** How long a file may take to be read, ms. */
const READ_MS = 6 * 60 * 60_000

export type FileRouteParts = {
  catalog(): Catalog
  readonly source: Pick<RowSource, 'row'>
  readonly storage: Pick<Storage, 'size' | 'read'>
  readonly addresses: Addresses
  readonly visitors: Pick<Visitors, 'find'>
  readonly thumbnails: Thumbnails
  readonly now: () => number
}

const HEADERS = {
  ...INERT,
  'referrer-policy': 'same-origin',
  // Whether the person may still see it is asked each time.
  'cache-control': 'private, no-cache',
  'accept-ranges': 'bytes',
}

/** What a browser wants it for: to show or save it, or as a picture of a page. */
const DESTINATIONS: ReadonlySet<unknown> = new Set([undefined, 'document', 'empty', 'image'])

type FileRoute = {
  /** `id` tells one of several files. */
  Params: { table: string; key: string; column: string; id?: string }
  Querystring: { size?: unknown }
}

export function addFileRoute(app: FastifyInstance, parts: FileRouteParts): void {
  const { addresses, now, visitors } = parts
  const limit = visitorLimit({ now, limit: FILES_PER_MINUTE, windowMs: 60_000 })
  const handler = async (request: FastifyRequest<FileRoute>, reply: FastifyReply) => {
    if (!DESTINATIONS.has(request.headers['sec-fetch-dest'])) throw new AppError('NOT_EMBEDDABLE')
    const visitor = await visitors.find(request)
    limit.take({ ip: request.ip, person: visitor?.actor.id })
    if (!visitor) throw new AppError('SIGN_IN_REQUIRED')
    checkLength(request.url)
    const size = sizeIn(request.query.size)
    const file = await fileIn(parts, request, visitor.actor, abortOnClose(reply))
    reply.headers(HEADERS)
    const found = size === undefined ? file : await copyOf(parts.thumbnails, file, size)
    if (!found) return reply.code(204).send()
    const { name, type } = found
    const isPicture = PICTURE_TYPES.includes(type)
    reply
      .header('content-disposition', disposition(isPicture ? 'inline' : 'attachment', name))
      .type(type)
    return send(request, reply, found)
  }
  for (const path of [PATHS.file, PATHS.listedFile])
    app.route<FileRoute>({
      ...{ method: ['GET', 'HEAD'], url: addresses.prefix + path, handler },
      // Compressed bytes have no ranges.
      ...{ compress: false, config: { limitMs: READ_MS } },
    })
}

/** Larger pictures are not shown that small where no copies can be made, bytes. */
const AS_IT_IS_MAX = { small: 1_000_000, medium: 10_000_000, large: Infinity }

/** Throws `NOT_FOUND` for what is no size. */
function sizeIn(asked: unknown): PictureSize | undefined {
  if (asked === undefined) return undefined
  if (asked !== 'small' && asked !== 'medium' && asked !== 'large') throw new AppError('NOT_FOUND')
  return asked
}

/** A copy of a picture, or the picture; `undefined` where nothing is shown but its name. */
async function copyOf(
  thumbnails: Thumbnails,
  file: FoundFile,
  size: PictureSize,
): Promise<FoundFile | undefined> {
  if (!PICTURE_TYPES.includes(file.type)) return undefined
  if (!(await thumbnails.isAble())) return file.size <= AS_IT_IS_MAX[size] ? file : undefined
  const { tag, size: bytes } = file
  const made = await thumbnails.of({ tag, bytes, read: () => file.read(undefined) }, size)
  return (
    made && {
      ...{ name: `${file.name.replace(/\.\w+$/, '')}.webp`, type: THUMBNAIL_TYPE },
      ...{ size: made.byteLength, tag: `"${tag.slice(1, -1)}-${size}"` },
      read: async (range) => (range ? made.subarray(range.start, range.end + 1) : made),
    }
  )
}

type FoundFile = Content & { readonly name: string; readonly type: string }

/** What is given out. */
type Content = {
  readonly size: number
  /** Names the bytes: what it names never changes. */
  readonly tag: string
  read(range: ByteRange | undefined): Promise<AsyncIterable<Uint8Array> | Uint8Array | undefined>
}

/** The file that the row holds in the column. Throws `NOT_FOUND` for whatever the actor may not see. */
async function fileIn(
  { catalog, source, storage }: FileRouteParts,
  { params }: FastifyRequest<FileRoute>,
  actor: Actor,
  signal: AbortSignal,
): Promise<FoundFile> {
  const { access, definition, keys } = catalog().open(actor, tableIn(params))
  const { column, id } = params
  const key = keys.read(params.key)
  const isBytes = access.table.columns.some(
    ({ name, type }) => name === column && type === 'binary',
  )
  const files = definition.columns.get(column)?.file
  const holds = files ? (files.list !== undefined) === (id !== undefined) : isBytes && !id
  if (!key || !holds || !access.canShow(column)) throw new AppError('NOT_FOUND')
  const cut = { columns: [column], length: BYTES_MAX }
  const row = await source.row(access, key, { columns: [column], cut }, { signal })
  const value = row?.values[0] ?? null
  if (row?.masked?.has(0) || row?.lengths?.has(0)) throw new AppError('NOT_FOUND')
  if (value instanceof Uint8Array) return bytesFile(value, `${column}-${params.key}`)
  const stored = files && keysIn(files, value).find((one) => !id || readKey(one)?.id === id)
  const file = readKey(stored ?? '')
  const size = file && (await storage.size(stored ?? ''))
  if (!stored || !file || size === undefined) throw new AppError('NOT_FOUND')
  const { name, type } = file
  return {
    ...{ name, type, size, tag: tagOf(stored) },
    read: (range) => storage.read(stored, range),
  }
}

/** Bytes that the row itself holds: nothing but they themselves tells what they are. */
async function bytesFile(bytes: Uint8Array, called: string) {
  const { type, ending } = await sniffed(bytes)
  return {
    ...{ name: `${called}.${ending}`, type, size: bytes.byteLength, tag: tagOf(bytes) },
    read: async (range: ByteRange | undefined) =>
      range ? bytes.subarray(range.start, range.end + 1) : bytes,
  }
}

const tagOf = (value: string | Uint8Array): string =>
  `"${createHash('sha256').update(value).digest('base64url')}"`

async function send(
  { method, headers }: FastifyRequest<FileRoute>,
  reply: FastifyReply,
  { size, tag, read }: Content,
): Promise<unknown> {
  reply.header('etag', tag)
  const held = headers['if-none-match'] ?? ''
  if (held.trim() === '*' || held.includes(tag)) return reply.code(304).send()
  const isSame = headers['if-range'] === undefined || headers['if-range'] === tag
  const range = isSame ? rangeIn(headers.range, size) : undefined
  if (range === null)
    return reply.code(416).header('content-range', `bytes */${size}`).type('text/plain').send('')
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.header('content-length', range ? range.end - range.start + 1 : size)
  if (method === 'HEAD') return reply.send()
  const bytes = await read(range)
  if (!bytes) throw new AppError('NOT_FOUND')
  if (bytes instanceof Uint8Array) return reply.send(Buffer.from(bytes))
  return reply.send(Readable.from(bytes, { objectMode: false }))
}

/** One range of bytes; `undefined` for all of them, also for what is no range, and `null` for one beyond their end. */
function rangeIn(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  const isNone = first === '' ? last === '' : last !== '' && Number(first) > Number(last)
  if (isNone) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  return start <= end ? { start, end } : null
}
