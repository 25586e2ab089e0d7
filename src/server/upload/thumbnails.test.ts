import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createThumbnails, type Picture, type ThumbnailOptions } from './thumbnails.ts'

let folder: string

beforeEach(() => void (folder = join(mkdtempSync(join(tmpdir(), 'tablewire-thumbs-')), 'in')))
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const open = (options: Partial<ThumbnailOptions> = {}) => createThumbnails({ folder, ...options })

const picture = (bytes: Uint8Array, tag = 'a'): Picture => ({
  ...{ tag, bytes: bytes.byteLength, read: async () => bytes },
})

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b6172' } })
    .jpeg()
    .toBuffer()

test('a picture is made as small as it is shown, and no larger than it is', async () => {
  const { of } = open()
  const large = picture(await photo(1200, 600))
  const small = await sharp(await of(large, 'small')).metadata()
  expect([small.format, small.width, small.height]).toEqual(['webp', 96, 48])
  const tiny = await sharp(await of(picture(await photo(20, 10), 'b'), 'medium')).metadata()
  expect([tiny.width, tiny.height]).toEqual([20, 10])
})

test('a picture of too many pixels is refused by its header, and what is none has no copy; once', async () => {
  let reads = 0
  const counted = (bytes: Uint8Array, tag: string): Picture => ({
    ...picture(bytes, tag),
    read: async () => (reads++, bytes),
  })
  const bomb = blankPng(9000, 8000)
  expect(bomb.byteLength).toBeLessThan(20_000)
  const { of } = open()
  for (const one of [counted(bomb, 'bomb'), counted(Buffer.from('<svg/>'), 'text')])
    for (const _ of [1, 2]) expect(await of(one, 'small')).toBeUndefined()
  expect(reads).toBe(2)
  const huge = { ...counted(Buffer.alloc(1), 'huge'), bytes: 33 * 1024 * 1024 }
  expect(await of(huge, 'small')).toBeUndefined()
  expect(reads).toBe(2)
})

/** Few bytes, of which each stands for a thousand pixels. */
function blankPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    const named = Buffer.concat([Buffer.from(type), data])
    length.writeUInt32BE(data.byteLength)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a picture of few bytes is copied whatever it is of, unless its pixels are too many', async () => {
  const { of } = open()
  expect(await of(picture(blankPng(900, 800)), 'small')).toBeDefined()
})

test('one is made at a time, the same one once, and past a bound none', async () => {
  let [running, most, made] = [0, 0, 0]
  const { of } = open({
    load: async () => async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      made++
      return Buffer.from('small')
    },
  })
  const asked = Array.from({ length: 250 }, (_, at) =>
    of(picture(Buffer.from('x'), String(at)), 'small'),
  )
  const same = of(picture(Buffer.from('x'), '7'), 'small')
  const found = await Promise.all(asked)
  expect(found.filter((one) => one !== undefined)).toHaveLength(200)
  expect(await same).toEqual(Buffer.from('small'))
  expect([most, made]).toEqual([1, 200])
})

test('the folder keeps copies for the next process, the newest of them, up to a bound', async () => {
  const load = async () => async () => Buffer.alloc(400)
  const first = open({ load, keptBytes: 1000 })
  for (const tag of ['a', 'b', 'c']) await first.of(picture(Buffer.from('x'), tag), 'small')
  const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  expect(sizes()).toEqual([400, 400])
  const never = async () => () => Promise.reject(new Error('It is there.'))
  const next = open({ load: never, keptBytes: 1000 })
  expect(await next.of(picture(Buffer.from('x'), 'c'), 'small')).toHaveLength(400)
  expect(await next.of(picture(Buffer.from('x'), 'a'), 'small')).toBeUndefined()
})

test('without the package, none are made, and nothing is said of it', async () => {
  const lines: string[] = []
  const { isAble, of } = open({ load: async () => undefined, log: (line) => lines.push(line) })
  expect(await isAble()).toBe(false)
  expect(await of(picture(Buffer.from('x')), 'small')).toBeUndefined()
  expect([lines, await open().isAble()]).toEqual([[], true])
})
