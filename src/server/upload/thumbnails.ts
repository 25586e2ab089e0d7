/**
 * Small copies of pictures, made by `sharp` where that is installed: bounded in bytes and pixels, one at a time, and
 * kept in a folder that does not grow without end.
 */

import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureSize } from '../../protocol/record-view.ts'
import { loadPackage } from '../optional-package.ts'
import { propertyOf } from '../property-of.ts'

/** The longer side of each size, pixels: of lists, of the page of a row, and of its preview. */
export const THUMBNAIL_SIDES: { readonly [size in PictureSize]: number } = {
  ...{ small: 96, medium: 768, large: 1920 },
}

export const THUMBNAIL_TYPE = 'image/webp'

/** Larger files are not read for it, bytes. */
const LARGEST = 32 * 1024 * 1024
/** Pictures of more pixels are not decoded: their header says how many there are. */
const PIXELS_MAX = 64_000_000
/** How long one may take to be made, s. */
const MAKING_S = 10
/** Most that wait to be made; past that, nothing is made. */
const WAITING_MAX = 200
/** Most bytes of the folder. */
const KEPT_BYTES = 256 * 1024 * 1024

export type Picture = {
  /** Names the bytes: what it names never changes. */
  readonly tag: string
  readonly bytes: number
  read(): Promise<AsyncIterable<Uint8Array> | Uint8Array | undefined>
}

export type Thumbnails = {
  /** Whether small copies can be made here; the package is loaded when this is first asked. */
  isAble(): Promise<boolean>
  /** The copy, or `undefined` where none can be made of the picture. */
  of(picture: Picture, size: PictureSize): Promise<Uint8Array | undefined>
}

type Make = (bytes: Uint8Array, side: number) => Promise<Uint8Array>

export type ThumbnailOptions = {
  readonly folder: string
  readonly log?: ((line: string) => void) | undefined
  /** Default: by `sharp`. `undefined` if nothing can make any. */
  readonly load?: () => Promise<Make | undefined>
  /** Most bytes of the folder. Default: 256 MiB. */
  readonly keptBytes?: number
}

export function createThumbnails({
  folder,
  log,
  load = () => loadSharp(log),
  keptBytes = KEPT_BYTES,
}: ThumbnailOptions): Thumbnails {
  let loading: Promise<Make | undefined> | undefined
  const maker = () => (loading ??= load())
  const kept = keptIn(folder, keptBytes)
  /** Those that are being made, by their names. */
  const making = new Map<string, Promise<Uint8Array | undefined>>()
  let last: Promise<unknown> = Promise.resolve()

  async function make({ bytes, read }: Picture, name: string, side: number) {
    const by = await maker()
    const source = by && bytes <= LARGEST ? await read() : undefined
    if (!by || !source) return undefined
    // What cannot be made is not tried again: an empty file stands for it.
    const made = await by(await wholeOf(source), side).catch(() => new Uint8Array())
    // One that cannot be kept is made again.
    await kept.put(name, made).catch(() => undefined)
    return made
  }

  return {
    isAble: async () => (await maker()) !== undefined,
    async of(picture, size) {
      const name = `${createHash('sha256').update(`${picture.tag} ${size}`).digest('hex')}.webp`
      const found = await kept.get(name)
      if (found) return found.byteLength === 0 ? undefined : found
      const begun = making.get(name)
      if (!begun && making.size >= WAITING_MAX) return undefined
      const turn = begun ?? last.then(() => make(picture, name, THUMBNAIL_SIDES[size]))
      if (!begun) {
        making.set(name, turn)
        last = turn.catch(() => undefined).finally(() => making.delete(name))
      }
      const made = await turn
      return made?.byteLength ? made : undefined
    },
  }
}

async function wholeOf(source: AsyncIterable<Uint8Array> | Uint8Array): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source
  const pieces = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The files of the folder; the oldest go first. */
function keptIn(folder: string, most: number) {
  let sizes: Promise<Map<string, number>> | undefined
  async function readSizes(): Promise<Map<string, number>> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const found = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const { size, mtimeMs } = await stat(join(folder, name))
        return { name, size, mtimeMs }
      }),
    )
    return new Map(
      found.toSorted((a, b) => a.mtimeMs - b.mtimeMs).map(({ name, size }) => [name, size]),
    )
  }
  return {
    get: (name: string): Promise<Uint8Array | undefined> =>
      readFile(join(folder, name)).catch(() => undefined),
    async put(name: string, bytes: Uint8Array): Promise<void> {
      const all = await (sizes ??= readSizes())
      const part = join(folder, `${randomUUID()}.part`)
      await writeFile(part, bytes, { mode: 0o600 })
      await rename(part, join(folder, name))
      all.set(name, bytes.byteLength)
      let total = [...all.values()].reduce((sum, size) => sum + size, 0)
      for (const [oldest, size] of all) {
        if (total <= most) return
        await rm(join(folder, oldest), { force: true })
        all.delete(oldest)
        total -= size
      }
    },
  }
}

/** `undefined` where the package is not installed: then pictures are given as they are. */
async function loadSharp(log: ThumbnailOptions['log']): Promise<Make | undefined> {
  try {
    const { default: sharp } = await loadPackage('small pictures', 'sharp', () => import('sharp'))
    sharp.cache(false)
    sharp.concurrency(1)
    return (bytes, side) =>
      sharp(bytes, { limitInputPixels: PIXELS_MAX, sequentialRead: true })
        .timeout({ seconds: MAKING_S })
        .autoOrient()
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer()
  } catch (error) {
    const isMissing = propertyOf(propertyOf(error, 'cause'), 'code') === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) log?.(`Pictures are not made smaller: ${String(error)}`)
    return undefined
  }
}
