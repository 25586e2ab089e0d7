import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { declaredType, FILE_TYPES, isOfType, SNIFFED_BYTES } from './file-types.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

/** The start of a file of each kind. */
const STARTS: Readonly<Record<string, Buffer>> = {
  'image/jpeg': bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF', [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
  'image/png': bytes(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13],
    'IHDR',
    [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0],
    'IDAT',
  ),
  'image/gif': bytes('GIF89a', [1, 0, 1, 0, 0, 0, 0]),
  'image/webp': bytes('RIFF', [26, 0, 0, 0], 'WEBPVP8L'),
  'application/pdf': bytes('%PDF-1.7\n'),
  'application/zip': bytes('PK', [3, 4, 20, 0, 0, 0, 0, 0], 'x'.repeat(40)),
  'application/gzip': bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
  'text/plain': bytes('Plain words.'),
  'text/html': bytes('<!doctype html><script>alert(1)</script>'),
  'image/svg+xml': bytes('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
  'application/x-elf': bytes([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  'text/nul': bytes('words', [0], 'more'),
}

const ENDINGS = ['jpg', 'png', 'gif', 'webp', 'pdf', 'zip', 'gz', 'txt', 'html', 'svg', 'exe', '']
const OWN: Readonly<Record<string, string>> = {
  ...{ jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ pdf: 'application/pdf', zip: 'application/zip', gz: 'application/gzip', txt: 'text/plain' },
}

test('ending, declared type and bytes have to agree: all 1,728 combinations', async () => {
  const types = Object.keys(STARTS)
  const taken: string[] = []
  for (const ending of ENDINGS)
    for (const declared of types)
      for (const held of types) {
        const type = declaredType(ending === '' ? 'name' : `name.${ending}`, declared)
        const start = STARTS[held]
        if (type !== undefined && start && (await isOfType(type, start)))
          taken.push(`${ending} ${declared} ${held}`)
      }
  // HTML and the like hold nothing that tells them from any other text, and are stored as texts.
  const texts = ['text/plain', 'text/html'].map((held) => `txt text/plain ${held}`)
  const same = Object.entries(OWN).flatMap(([ending, type]) =>
    type === 'text/plain' ? texts : [`${ending} ${type} ${type}`],
  )
  expect(taken.toSorted()).toEqual(same.toSorted())
})

test('an archive that would unpack to a thousand times its size is stored as it is', async () => {
  const bomb = deflateRawSync(Buffer.alloc(64 * 1024 ** 2), { level: 9 })
  const name = '[Content_Types].xml'
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04\x14\0\0\0\x08\0', 'latin1')
  head.writeUInt32LE(bomb.byteLength, 18)
  head.writeUInt32LE(64 * 1024 ** 2, 22)
  head.writeUInt16LE(name.length, 26)
  const archive = Buffer.concat([head, Buffer.from(name), bomb])
  const start = archive.subarray(0, SNIFFED_BYTES)
  expect(await isOfType('application/zip', start)).toBe(true)
  expect(await isOfType('image/png', start)).toBe(false)
})

test('a type that the browser does not know is that of the ending', () => {
  expect(declaredType('a.CSV', '')).toBe('text/csv')
  expect(declaredType('a.csv', 'application/vnd.ms-excel')).toBe('text/csv')
  expect(declaredType('a.csv', 'text/csv; charset=utf-8')).toBe('text/csv')
  expect(declaredType('a.png.exe', 'image/png')).toBeUndefined()
  expect(FILE_TYPES).not.toContain('image/svg+xml')
})

test('a text is one whatever letters it begins with; what holds control characters is none', async () => {
  for (const words of ['BMW;318i;sold', 'MZ is how it begins', 'ID3', 'FORM 7', 'Größe;1', ''])
    expect([words, await isOfType('text/csv', Buffer.from(words))]).toEqual([words, true])
  expect(await isOfType('text/plain', Buffer.from('MZ\x90\x00\x03'))).toBe(false)
  expect(await isOfType('text/plain', Buffer.from('caf\xe9', 'latin1'))).toBe(true)
})
