/** A server of the test's own that speaks enough of S3's protocol, and refuses what S3 refuses. */

import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkSignature, type Credentials } from './signature-v4.ts'

export type CorsRule = {
  readonly origins: readonly string[]
  readonly methods: readonly string[]
  readonly headers: readonly string[]
}

type Stored = { readonly bytes: Buffer; readonly type: string; readonly at: number }
type Parts = { readonly key: string; readonly at: number; readonly parts: Map<number, Buffer> }

export type FakeS3 = {
  /** Where it listens, for addresses with the bucket in the path. */
  readonly endpoint: string
  /** Where it listens, for addresses whose host begins with the bucket. */
  readonly hostEndpoint: string
  readonly credentials: Credentials
  readonly bucket: string
  readonly objects: Map<string, Stored>
  readonly uploads: Map<string, Parts>
  /** What it was asked: method and address, with the headers. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[]
  /** The rules of the bucket. */
  cors: readonly CorsRule[]
  /** Milliseconds that its clock is ahead. */
  ahead: number
  /** Called before each signed request; what it returns is the answer, and `hang` never answers. */
  fault: (request: IncomingMessage) => { status: number; code: string } | 'hang' | undefined
  /** Awaited before each answer to a request that was signed. */
  pause: (request: IncomingMessage) => Promise<void> | undefined
  close(): Promise<void>
}

const PART_MIN = 5 * 1024 ** 2
/** Few on a page, so that whoever lists has to go on. */
const LISTED = 3

const STATUS: { readonly [code: string]: number } = {
  ...{ NoSuchKey: 404, NoSuchBucket: 404, NoSuchUpload: 404, MissingContentLength: 411 },
  ...{ PreconditionFailed: 412, InvalidRange: 416, EntityTooSmall: 400, InvalidPart: 400 },
  ...{ XAmzContentSHA256Mismatch: 400, IncompleteBody: 400, MethodNotAllowed: 405 },
  ...{ EntityTooLarge: 400, InvalidRequest: 400 },
}

class Refused extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, status = STATUS[code] ?? 403) {
    super(code)
    this.code = code
    this.status = status
  }
}

export async function openFakeS3({ largestCopy = 5 * 1024 ** 3 } = {}): Promise<FakeS3> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const { status, code } =
        error instanceof Refused ? error : { status: 500, code: `InternalError: ${String(error)}` }
      if (response.destroyed) return
      const date = new Date(now()).toUTCString()
      response.writeHead(status, { ...corsOf(request), date, 'content-type': 'application/xml' })
      const told = `<Error><Code>${code}</Code><Message>${code}</Message></Error>`
      response.end(request.method === 'HEAD' ? undefined : told)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fake: FakeS3 = {
    endpoint: `http://127.0.0.1:${port}`,
    hostEndpoint: `http://localhost:${port}`,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY' },
    bucket: 'files-of-tests',
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    cors: [],
    ahead: 0,
    fault: () => undefined,
    pause: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const now = () => Date.now() + fake.ahead

  function corsOf({ headers }: IncomingMessage): Record<string, string> {
    const { origin } = headers
    const rule = fake.cors.find((one) => isFrom(one, origin))
    return rule && origin ? { 'access-control-allow-origin': origin } : {}
  }

  function preflight(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request
    const method = headers['access-control-request-method'] ?? ''
    const names = (headers['access-control-request-headers'] ?? '').split(',').filter(Boolean)
    const rule = fake.cors.find(
      (one) =>
        isFrom(one, headers.origin) &&
        one.methods.includes(method) &&
        names.every((name) => one.headers.includes('*') || one.headers.includes(name.trim())),
    )
    if (!rule) throw new Refused('AccessForbidden')
    response.writeHead(200, {
      ...corsOf(request),
      'access-control-allow-methods': rule.methods.join(', '),
      'access-control-allow-headers': names.join(', '),
    })
    response.end()
  }

  /** The key, by either style of addresses. */
  function keyOf({ headers, url = '' }: IncomingMessage): string {
    const path = decodeURIComponent(new URL(url, 'http://host').pathname).slice(1)
    if (headers.host === `${fake.bucket}.localhost:${port}`) return path
    const [bucket, ...key] = path.split('/')
    if (bucket !== fake.bucket) throw new Refused('NoSuchBucket')
    return key.join('/')
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request
    fake.requests.push({ line: `${method} ${request.url}`, headers })
    if (method === 'OPTIONS') return preflight(request, response)
    const fault = fake.fault(request)
    if (fault === 'hang') return
    if (fault) throw new Refused(fault.code, fault.status)
    const checked = checkSignature(request, fake.credentials, now())
    if ('refusal' in checked) throw new Refused(checked.refusal)
    const body = await bodyOf(request, checked.payload)
    await fake.pause(request)
    const query = new URL(request.url ?? '', 'http://host').searchParams
    const { status = 200, ...answer } = answerTo({ request, query, key: keyOf(request), body })
    response.writeHead(status, {
      ...corsOf(request),
      date: new Date(now()).toUTCString(),
      ...answer.headers,
      'content-length': answer.bytes?.byteLength ?? 0,
    })
    response.end(method === 'HEAD' ? undefined : answer.bytes)
  }

  type Asked = {
    readonly request: IncomingMessage
    readonly query: URLSearchParams
    readonly key: string
    readonly body: Buffer
  }
  type Answer = { status?: number; headers?: Record<string, string>; bytes?: Buffer }

  function answerTo(asked: Asked): Answer {
    const { request, query, key } = asked
    if (key === '' && request.method === 'GET')
      return query.has('uploads') ? listUploads(query) : list(query)
    if (key === '') throw new Refused('MethodNotAllowed')
    const does = {
      PUT: () => (query.has('uploadId') ? putPart(asked) : put(asked)),
      POST: () => (query.has('uploads') ? begin(key) : complete(asked)),
      GET: () => get(asked),
      HEAD: () => get(asked),
      DELETE: () => remove(asked),
    }[request.method ?? '']
    if (!does) throw new Refused('MethodNotAllowed')
    return does()
  }

  function copied({ request }: Asked): Buffer | undefined {
    const source = request.headers['x-amz-copy-source']
    if (source === undefined) return undefined
    const [bucket, ...key] = decodeURIComponent(String(source)).replace(/^\//, '').split('/')
    const found = bucket === fake.bucket ? fake.objects.get(key.join('/')) : undefined
    if (!found) throw new Refused('NoSuchKey')
    const wanted = request.headers['x-amz-copy-source-if-match']
    if (wanted !== undefined && wanted !== etagOf(found.bytes))
      throw new Refused('PreconditionFailed')
    const range = request.headers['x-amz-copy-source-range']
    const part = range === undefined ? found.bytes : cut(found.bytes, String(range)).bytes
    if (part.byteLength > largestCopy) throw new Refused('InvalidRequest')
    return part
  }

  function put(asked: Asked): Answer {
    const copy = copied(asked)
    const bytes = copy ?? asked.body
    const type = asked.request.headers['content-type'] ?? 'binary/octet-stream'
    fake.objects.set(asked.key, { bytes, type, at: now() })
    const etag = etagOf(bytes)
    return copy
      ? xml(`<CopyObjectResult><ETag>${etag}</ETag></CopyObjectResult>`)
      : { headers: { etag } }
  }

  function putPart(asked: Asked): Answer {
    const copy = copied(asked)
    const bytes = copy ?? asked.body
    uploadOf(asked).parts.set(Number(asked.query.get('partNumber')), bytes)
    const etag = etagOf(bytes)
    return copy
      ? xml(`<CopyPartResult><ETag>${etag}</ETag></CopyPartResult>`)
      : { headers: { etag } }
  }

  function uploadOf({ query, key }: Asked): Parts {
    const upload = fake.uploads.get(query.get('uploadId') ?? '')
    if (upload?.key !== key) throw new Refused('NoSuchUpload')
    return upload
  }

  function begin(key: string): Answer {
    const id = randomUUID()
    fake.uploads.set(id, { key, at: now(), parts: new Map() })
    return xml(
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    )
  }

  function complete(asked: Asked): Answer {
    const { parts } = uploadOf(asked)
    const named = [...asked.body.toString().matchAll(/<Part>[^]*?<\/Part>/g)].map(([part]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.+?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }))
    const bytes = named.map(({ number, etag }, at) => {
      const part = parts.get(number)
      if (!part || etagOf(part) !== etag) throw new Refused('InvalidPart')
      if (at < named.length - 1 && part.byteLength < Math.min(PART_MIN, largestCopy))
        throw new Refused('EntityTooSmall')
      return part
    })
    fake.objects.set(asked.key, { bytes: Buffer.concat(bytes), type: '', at: now() })
    fake.uploads.delete(asked.query.get('uploadId') ?? '')
    return xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
  }

  function get({ request, key }: Asked): Answer {
    const found = fake.objects.get(key)
    if (!found) throw new Refused('NoSuchKey')
    const headers = { etag: etagOf(found.bytes), 'content-type': found.type }
    const { range } = request.headers
    if (range === undefined) return { headers, bytes: found.bytes }
    const { bytes, said } = cut(found.bytes, range)
    return { status: 206, headers: { ...headers, 'content-range': said }, bytes }
  }

  function remove({ key, query }: Asked): Answer {
    if (query.has('uploadId')) fake.uploads.delete(query.get('uploadId') ?? '')
    else fake.objects.delete(key)
    return { status: 204 }
  }

  function list(query: URLSearchParams): Answer {
    const after = query.get('continuation-token') ?? ''
    const keys = [...fake.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .toSorted()
    const shown = keys.slice(0, LISTED)
    const contents = shown.map((key) => {
      const at = new Date(fake.objects.get(key)?.at ?? 0).toISOString()
      return `<Contents><Key>${key}</Key><LastModified>${at}</LastModified></Contents>`
    })
    const isMore = keys.length > LISTED
    const next = isMore ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : ''
    return xml(
      `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    )
  }

  function listUploads(query: URLSearchParams): Answer {
    const found = [...fake.uploads].filter(([, { key }]) =>
      key.startsWith(query.get('prefix') ?? ''),
    )
    const items = found.map(
      ([id, { key, at }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(at).toISOString()}</Initiated></Upload>`,
    )
    return xml(`<ListMultipartUploadsResult>${items.join('')}</ListMultipartUploadsResult>`)
  }

  return fake
}

const isFrom = ({ origins }: CorsRule, origin: string | undefined): boolean =>
  origin !== undefined && origins.some((one) => one === '*' || one === origin)

/** The whole body; a length has to be announced, and to be true, and a hash to be that of the bytes. */
async function bodyOf(request: IncomingMessage, payload: string): Promise<Buffer> {
  const length = request.headers['content-length']
  if (length === undefined && ['PUT', 'POST'].includes(request.method ?? ''))
    throw new Refused('MissingContentLength')
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  if (length !== undefined && body.byteLength !== Number(length))
    throw new Refused('IncompleteBody')
  const hash = createHash('sha256').update(body).digest('hex')
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hash)
    throw new Refused('XAmzContentSHA256Mismatch')
  return body
}

function cut(bytes: Buffer, range: string): { bytes: Buffer; said: string } {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  const start = Number(from)
  const end = Math.min(to ? Number(to) : Infinity, bytes.byteLength - 1)
  if (!(start <= end)) throw new Refused('InvalidRange')
  return {
    bytes: bytes.subarray(start, end + 1),
    said: `bytes ${start}-${end}/${bytes.byteLength}`,
  }
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`

const xml = (text: string) => ({
  headers: { 'content-type': 'application/xml' },
  bytes: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`),
})
