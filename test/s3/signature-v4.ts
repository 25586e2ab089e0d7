/** Checks Signature Version 4 as S3 does, written from its specification and not from the product's signer. */

import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string }

/** The code of a refusal; `undefined` for a request that is signed as it should be. */
export type Refusal =
  | 'AccessDenied'
  | 'AuthorizationQueryParametersError'
  | 'InvalidAccessKeyId'
  | 'SignatureDoesNotMatch'
  | 'RequestTimeTooSkewed'

const SKEW_MS = 15 * 60_000
const LONGEST_S = 7 * 24 * 60 * 60

type Signed = {
  readonly credential: string
  readonly headers: readonly string[]
  readonly signature: string
  readonly date: string
  readonly payload: string
}

/** Checks everything but the bytes, whose hash it returns for the caller to compare. */
export function checkSignature(
  request: IncomingMessage,
  credentials: Credentials,
  now: number,
): { refusal: Refusal } | { payload: string } {
  const url = new URL(request.url ?? '', 'http://host')
  const { headers } = request
  const isQuery = url.searchParams.has('X-Amz-Signature')
  const signed = isQuery ? inQuery(url) : inHeader(headers['authorization'] ?? '', request)
  if (!signed) return { refusal: 'AccessDenied' }
  const [keyId, day, region, service, end] = signed.credential.split('/')
  if (keyId !== credentials.accessKeyId) return { refusal: 'InvalidAccessKeyId' }
  const at = timeOf(signed.date)
  if (isQuery) {
    const seconds = Number(url.searchParams.get('X-Amz-Expires'))
    if (!(seconds > 0 && seconds <= LONGEST_S))
      return { refusal: 'AuthorizationQueryParametersError' }
    if (now > at + seconds * 1000 || now < at - SKEW_MS) return { refusal: 'AccessDenied' }
  } else if (Math.abs(now - at) > SKEW_MS) return { refusal: 'RequestTimeTooSkewed' }
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith('x-amz-') && !signed.headers.includes(name),
  )
  if (!signed.headers.includes('host') || unsigned.length > 0) return { refusal: 'AccessDenied' }
  const canonical = [
    request.method,
    encodePath(decodeURIComponent(url.pathname)),
    [...url.searchParams]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => [encode(name), encode(value)] as const)
      .toSorted(([a, x], [b, y]) => (a === b ? order(x, y) : order(a, b)))
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
    ...signed.headers.map((name) => `${name}:${trimmed(headers[name])}`),
    '',
    signed.headers.join(';'),
    signed.payload,
  ].join('\n')
  const scope = `${day}/${region}/${service}/${end}`
  const toSign = ['AWS4-HMAC-SHA256', signed.date, scope, sha256(canonical)].join('\n')
  const key = [region, service, end].reduce(
    (parent, text) => hmac(parent, text ?? ''),
    hmac(`AWS4${credentials.secretAccessKey}`, day ?? ''),
  )
  const isRight =
    service === 's3' &&
    end === 'aws4_request' &&
    signed.date.startsWith(day ?? '-') &&
    hmac(key, toSign).toString('hex') === signed.signature
  return isRight ? { payload: signed.payload } : { refusal: 'SignatureDoesNotMatch' }
}

function inHeader(text: string, { headers }: IncomingMessage): Signed | undefined {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(text)
  const [, credential, names, signature] = found ?? []
  if (!credential || !names || !signature) return undefined
  return {
    ...{ credential, signature, headers: names.split(';') },
    date: String(headers['x-amz-date']),
    payload: String(headers['x-amz-content-sha256']),
  }
}

function inQuery({ searchParams }: URL): Signed | undefined {
  if (searchParams.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  return {
    credential: searchParams.get('X-Amz-Credential') ?? '',
    headers: (searchParams.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature: searchParams.get('X-Amz-Signature') ?? '',
    date: searchParams.get('X-Amz-Date') ?? '',
    payload: 'UNSIGNED-PAYLOAD',
  }
}

/** `20261126T101500Z`. */
function timeOf(text: string): number {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
  return Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s))
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const trimmed = (value: string | string[] | undefined): string =>
  String(value ?? '')
    .trim()
    .replace(/ +/g, ' ')
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
const encodePath = (path: string): string => path.split('/').map(encode).join('/')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()
