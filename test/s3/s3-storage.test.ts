/** What a storage in S3 does beyond the contract: parts, direct PUTs, and what it says when S3 fails. */

import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/server/app-error.ts'
import { createS3Storage, type S3StorageOptions } from '../../src/server/upload/s3/s3-storage.ts'
import type { Storage } from '../../src/server/upload/storage.ts'
import { withoutSecrets } from '../../src/cli/without-secrets.ts'
import { words } from '../contracts/storage.ts'
import { type FakeS3, openFakeS3 } from './fake-s3.ts'

const MEGABYTE = 1024 ** 2
const PAGE = 'https://admin.example.org'
const RULE = { origins: [PAGE], methods: ['PUT'], headers: ['content-type'] }

let s3: FakeS3
let now = 0
let log: string[]

beforeAll(async () => {
  s3 = await openFakeS3({ largestCopy: MEGABYTE })
})
afterAll(() => s3.close())
beforeEach(() => {
  s3.objects.clear()
  s3.uploads.clear()
  s3.requests.length = 0
  Object.assign(s3, { cors: [RULE], ahead: 0, fault: () => undefined, pause: () => undefined })
  log = []
  now = 0
})

const open = (options: Partial<S3StorageOptions> = {}): Promise<Storage> =>
  createS3Storage({
    ...{ bucket: s3.bucket, endpoint: s3.endpoint, ...s3.credentials, copyBytes: MEGABYTE },
    ...{ now: () => now, log: (line: string) => void log.push(line), ...options },
  })

const PIECE = Buffer.alloc(64 * 1024)

async function* pieces(
  bytes: number,
  pulled: (bytes: number) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += PIECE.byteLength) {
    pulled(PIECE.byteLength)
    yield PIECE
  }
}

describe('in parts', () => {
  test('a file waits for S3, so that memory holds few of its bytes', async () => {
    const storage = await open()
    const held = Promise.withResolvers<void>()
    s3.pause = ({ url }) => (url?.includes('partNumber=1&') ? held.promise : undefined)
    let pulled = 0
    const put = storage.put(
      'pending/large',
      pieces(24 * MEGABYTE, (bytes) => (pulled += bytes)),
    )
    await expect
      .poll(() => s3.requests.some(({ line }) => line.includes('partNumber=1')))
      .toBe(true)
    // Whatever is read ahead is read within some turns of the loop.
    for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate)
    expect(pulled).toBeLessThan(8 * MEGABYTE)
    held.resolve()
    await put
    expect(s3.objects.get('tablewire/pending/large')?.bytes.byteLength).toBe(24 * MEGABYTE)
  })

  test('a file is read as it comes', async () => {
    const storage = await open()
    await storage.put('pending/large', pieces(6 * MEGABYTE))
    const lengths: number[] = []
    for await (const { byteLength } of (await storage.read('pending/large'))!)
      lengths.push(byteLength)
    expect(Math.max(...lengths)).toBeLessThan(MEGABYTE)
  })

  test('what is too large to be copied at once is copied in parts, and none stay if that fails', async () => {
    const storage = await open()
    const bytes = Buffer.concat([Buffer.alloc(2 * MEGABYTE, 'ab'), Buffer.from('end')])
    s3.objects.set('tablewire/pending/large', { bytes, type: '', at: 0 })
    s3.fault = ({ url }) =>
      url?.includes('partNumber=3') ? { status: 403, code: 'AccessDenied' } : undefined
    await expect(storage.move('pending/large', 'kept/large')).rejects.toThrow(AppError)
    expect([s3.uploads.size, s3.objects.has('tablewire/kept/large')]).toEqual([0, false])
    s3.fault = () => undefined
    await storage.move('pending/large', 'kept/large')
    expect([...s3.objects.keys()]).toEqual(['tablewire/kept/large'])
    expect(s3.objects.get('tablewire/kept/large')?.bytes.equals(bytes)).toBe(true)
  })

  test('a sweep gives up parts that a dead process has left, and no others', async () => {
    const storage = await open()
    const left = (key: string, at: number) => s3.uploads.set(key, { key, at, parts: new Map() })
    left('tablewire/arriving/old', 1000)
    left('tablewire/kept/old', 1000)
    left('tablewire/arriving/new', 3000)
    left('somebody-elses/old', 1000)
    await storage.sweep('arriving', 2000)
    expect([...s3.uploads.keys()]).toEqual(['tablewire/arriving/new', 'somebody-elses/old'])
  })
})

describe('a signed PUT', () => {
  const file = { size: 5, type: 'text/plain' }
  const sign = async (key = 'direct/one') => (await open()).direct!.sign(key, file)
  const put = async (url: string, init: RequestInit = {}) =>
    (
      await fetch(url, {
        ...{ method: 'PUT', body: 'hello', headers: { 'content-type': 'text/plain' } },
        ...init,
      })
    ).status

  test('takes the one file that it was signed for', async () => {
    const { url, headers } = await sign()
    expect(headers).toEqual({ 'Content-Type': 'text/plain' })
    expect(await put(url, { headers })).toBe(200)
    expect(s3.objects.get('tablewire/direct/one')).toMatchObject({
      bytes: Buffer.from('hello'),
      type: 'text/plain',
    })
    const query = new URL(url).searchParams
    expect(query.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
    expect(query.get('X-Amz-Expires')).toBe('300')
  })

  test('takes no other size, type, key or method, and nothing with another header of S3', async () => {
    const { url } = await sign()
    const statuses = await Promise.all([
      put(url, { body: 'hell' }),
      put(url, { body: 'hello!' }),
      put(url, { headers: { 'content-type': 'text/html' } }),
      put(url, { headers: {} }),
      put(url, { headers: { 'content-type': 'text/plain', 'x-amz-acl': 'public-read' } }),
      put(url.replace('direct/one', 'direct/two')),
      put(url.replace('direct/one', 'kept/one')),
      put(url, { method: 'POST' }),
      put(url, { method: 'DELETE', body: null }),
      put(url, { method: 'GET', body: null }),
    ])
    expect(statuses).toEqual(statuses.map(() => 403))
    expect(s3.objects.size).toBe(0)
  })

  test('takes nothing if any part of its address is changed, missing, or there twice', async () => {
    const { url } = await sign()
    const names = [...new URL(url).searchParams.keys()]
    expect(names).toContain('X-Amz-Signature')
    for (const name of names)
      for (const change of ['changed', 'missing'] as const) {
        const altered = new URL(url)
        const value = altered.searchParams.get(name) ?? ''
        if (change === 'missing') altered.searchParams.delete(name)
        else altered.searchParams.set(name, `${value.slice(0, -1)}${value.endsWith('1') ? 2 : 1}`)
        expect([name, change, (await put(altered.href)) >= 400]).toEqual([name, change, true])
      }
    expect(await put(`${url}&x-amz-acl=public-read`)).toBe(403)
    expect(s3.objects.size).toBe(0)
  })

  test('begins within five minutes', async () => {
    const { url } = await sign()
    s3.ahead = 5 * 60_000 + 1000
    expect(await put(url)).toBe(403)
    s3.ahead = 5 * 60_000 - 10_000
    expect(await put(url)).toBe(200)
  })

  test('is right by the clock of S3, once an answer has told it', async () => {
    s3.ahead = 60 * 60_000
    const storage = await open()
    await storage.sweep('pending', 0)
    const { url } = await storage.direct!.sign('direct/one', file)
    expect(await put(url)).toBe(200)
  })

  test('goes to an origin that is known before the first one', async () => {
    const origins = await Promise.all(
      [
        {},
        { endpoint: s3.hostEndpoint, pathStyle: false },
        { endpoint: undefined, region: 'eu-central-1' },
        { endpoint: undefined, region: 'eu-central-1', pathStyle: true },
      ].map(async (options) => (await open(options)).direct?.origin),
    )
    expect(origins).toEqual([
      s3.endpoint,
      s3.hostEndpoint.replace('localhost', `${s3.bucket}.localhost`),
      `https://${s3.bucket}.s3.eu-central-1.amazonaws.com`,
      'https://s3.eu-central-1.amazonaws.com',
    ])
    expect(s3.requests).toEqual([])
    expect((await open({ direct: false })).direct).toBeUndefined()
  })
})

describe('the CORS rule of the bucket', () => {
  test.each([
    ['AllowedOrigins', []],
    ['AllowedOrigins', [{ ...RULE, origins: ['https://other.example.org'] }]],
    ['AllowedOrigins', [{ ...RULE, methods: ['GET'] }]],
  ])('is missed by name: %s of %j', async (missing, cors) => {
    s3.cors = cors
    const { direct } = await open()
    expect(await direct!.takesFrom(PAGE)).toBe(false)
    expect(await direct!.takesFrom(PAGE)).toBe(false)
    expect(log).toEqual([
      `Files go through this server, because the CORS rule of the bucket [${s3.bucket}] lacks ${missing} for pages of ${PAGE}: docs/uploads.md has the rule.`,
    ])
    expect(s3.requests).toHaveLength(1)
  })

  test('is asked for again after a while, and told again once it was there and is gone', async () => {
    const { direct } = await open()
    const taken = []
    for (const cors of [[], [RULE], [], []]) {
      s3.cors = cors
      now += 10 * 60_000
      taken.push(await direct!.takesFrom(PAGE))
    }
    expect([taken, log.length]).toEqual([[false, true, false, false], 2])
  })

  test('is not what is missing where the bucket does not answer', async () => {
    const gone = await openFakeS3()
    const { direct } = await open({ endpoint: gone.endpoint })
    await gone.close()
    expect([await direct!.takesFrom(PAGE), log]).toEqual([false, []])
  })
})

describe('a failing S3', () => {
  const failures: readonly (readonly [string, Partial<S3StorageOptions>, Partial<FakeS3>])[] = [
    ['S3 does not know the key', { accessKeyId: 'AKIDOTHER' }, {}],
    ['S3 refuses the signature', { secretAccessKey: 'not the one' }, {}],
    ['S3 has no bucket [another]', { bucket: 'another' }, {}],
    ['S3 allows too little on the bucket', {}, answering(403, 'AccessDenied')],
    ['is elsewhere: check S3_REGION and S3_ENDPOINT', {}, answering(301, 'PermanentRedirect')],
    ['The clock of this machine', {}, answering(403, 'RequestTimeTooSkewed')],
    [
      'S3 does not answer as it should: ServiceUnavailable 503',
      {},
      answering(503, 'ServiceUnavailable'),
    ],
    ['S3 does not answer as it should: SlowDown 503', {}, answering(503, 'SlowDown')],
    ['S3 does not answer as it should: TimeoutError', { answerMs: 100 }, { fault: () => 'hang' }],
    ['ECONNREFUSED', { endpoint: 'http://127.0.0.1:1' }, {}],
  ]

  test.each(failures)('is told by what is wrong: %s', async (reason, options, faults) => {
    s3.objects.set('tablewire/pending/one', { bytes: Buffer.from('hello'), type: '', at: 0 })
    Object.assign(s3, faults)
    const storage = await open(options)
    const errors = await Promise.all(
      [
        storage.put('arriving/one', words('hello')),
        storage.read('pending/one'),
        storage.remove('pending/one'),
        storage.sweep('pending', Date.now()),
      ].map((asked) =>
        asked.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    )
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE', status: 503, retryAfter: 5 })
      expect((error as AppError).cause).toMatchObject({ message: expect.stringContaining(reason) })
      expect(withoutSecrets(inspect(error))).toBe(inspect(error))
      expect(inspect(error)).not.toContain(
        options.secretAccessKey ?? s3.credentials.secretAccessKey,
      )
    }
    await expect(storage.move('pending/one', 'kept/one')).rejects.toThrow(AppError)
    expect([...s3.objects.keys()]).toEqual(['tablewire/pending/one'])
  })

  test('that has no room says so', async () => {
    Object.assign(s3, answering(507, 'XMinioStorageFull'))
    await expect((await open()).put('pending/one', words('x'))).rejects.toMatchObject({
      code: 'STORAGE_FULL',
    })
  })

  test('for a moment costs nobody anything', async () => {
    let asked = 0
    s3.fault = () => (asked++ === 0 ? { status: 503, code: 'SlowDown' } : undefined)
    await (await open()).put('pending/one', words('hello'))
    expect(s3.objects.get('tablewire/pending/one')?.bytes.toString()).toBe('hello')
  })

  test('whose clock is another one is understood', async () => {
    s3.ahead = -60 * 60_000
    await (await open()).put('pending/one', words('hello'))
    expect(s3.objects.size).toBe(1)
  })
})

function answering(status: number, code: string): Partial<FakeS3> {
  return { fault: () => ({ status, code }) }
}
