/** Spellings of content types: two are taken, all others are refused. */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Attack } from './attack.ts'
import { bodyOf, type Headers, postText } from './requests.ts'
import type { Target } from './target.ts'

const TAKEN = ['application/json', 'application/json; charset=utf-8']

const KINDS = [
  'text/plain',
  'text/html',
  'text/json',
  'text/x-json',
  'application/x-json',
  'application/jsonp',
  'application/json5',
  'application/jsonlines',
  'application/ld+json',
  'application/problem+json',
  'application/vnd.api+json',
  'application/+json',
  'application/json+xml',
  'application/javascript',
  'application/xml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-8',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/mixed; boundary="application/json"',
  'application/x-ndjson',
  'application/graphql',
  'application/cbor',
  'application/*',
  '*/*',
  '*',
  'json',
  'application',
  'application/',
  '/json',
  '/',
  '',
  ' ',
  ';',
  ',',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
]

const CHARSETS = [
  'utf-16',
  'utf-16le',
  'utf-32',
  'utf-7',
  'iso-8859-1',
  'latin1',
  'us-ascii',
  'shift_jis',
  'ibm037',
  'UTF-8',
  'utf8',
  '"utf-8"',
  'utf-8;',
  ' utf-8',
  '',
  '__proto__',
]

/** Ways to write a type that lenient readers take for the real one. */
const respelt = (type: string): string[] => [
  ...[' ', '\t', '\v', '\f', '\u00a0', '\ufeff', ';', ',', '"', '\0'].flatMap((mark) => [
    mark + type,
    type + mark,
    type.replace('/', `${mark}/`),
    type.replace('/', `/${mark}`),
    type.replace('json', `js${mark}on`),
  ]),
  type.toUpperCase(),
  type.replace('json', 'JSON'),
  type.replace('a', 'A'),
  type.replace('/', '//'),
  type.replace('/', '\\'),
  type.replace('/', '%2f'),
  `${type}x`,
  `x${type}`,
  `${type}, text/plain`,
  `text/plain, ${type}`,
  `text/plain; ${type}`,
  `text/plain;x="${type}"`,
  `${type};text/plain`,
  `${type}; boundary=x`,
  `${type}; version=1`,
  `${type}; a=b; charset=utf-8`,
  `${type}; charset=utf-8; charset=utf-16`,
  `${type};charset=utf-8`,
  `${type} ; charset=utf-8`,
  `${type};  charset=utf-8`,
  `${type}; Charset=utf-8`,
  `${type}; charset = utf-8`,
  type.replace('o', 'о'),
  type.repeat(2),
  type.repeat(500),
]

const SPELLINGS = [
  ...new Set([
    ...KINDS,
    ...CHARSETS.map((charset) => `application/json; charset=${charset}`),
    ...respelt('application/json'),
  ]),
].filter((type) => !TAKEN.includes(type))

/** A right request under every spelling of its type. */
export function* contentTypes({ people: { admin } }: Target): Iterable<Attack> {
  const text = JSON.stringify(bodyOf(admin, { snapshot: admin.snapshots['list'] }))
  for (const type of SPELLINGS)
    yield {
      name: `type ${JSON.stringify(type).slice(0, 80)}`,
      request: postText(admin, text, { 'content-type': type }),
      allowed: [415],
    }
  for (const type of TAKEN)
    yield {
      name: type,
      request: postText(admin, text, { 'content-type': type }),
      allowed: [200],
    }
  const form = `_token=${encodeURIComponent(admin.csrf)}&components[0][snapshot]=x&components=y`
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])
    yield {
      name: `a form as ${type}`,
      request: postText(admin, form, { 'content-type': type }),
      allowed: [415],
    }
}

/** Bodies that are packed, well or badly. */
export function* encodings({ people: { admin } }: Target): Iterable<Attack> {
  const text = JSON.stringify(bodyOf(admin, { snapshot: admin.snapshots['list'] }))
  const bomb = JSON.stringify('x'.repeat(4 * 1024 * 1024))
  const packed: Readonly<Record<string, (body: string) => Buffer>> = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
  }
  const send = (name: string, body: string | Buffer, headers: Headers): Attack => ({
    name,
    request: postText(admin, body, headers),
    allowed: [200, 400, 413, 415],
  })
  for (const [encoding, pack] of Object.entries(packed)) {
    const headers = { 'content-encoding': encoding }
    yield send(`${encoding}`, pack(text), headers)
    yield send(`${encoding} twice`, pack(pack(text).toString('latin1')), headers)
    yield send(`${encoding} cut`, pack(text).subarray(0, 40), headers)
    yield send(`${encoding} not at all`, text, headers)
    yield send(`${encoding} of nothing`, '', headers)
    const { request } = send(`${encoding} of a bomb`, pack(bomb), headers)
    yield { name: `${encoding} of a bomb`, request, allowed: [400, 413, 415] }
  }
  for (const encoding of [
    'identity',
    'x-gzip',
    'zstd',
    'compress',
    'gzip, gzip',
    'a',
    '__proto__',
    '',
  ])
    yield send(`encoding ${encoding}`, text, { 'content-encoding': encoding })
}
