/** Fetches a file from another host, which must not be able to lead the server anywhere else. */

import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import { isPublic, remoteAddress } from './remote-address.ts'

/** Redirects that are followed. */
const REDIRECTS = 3
/** Most bytes of a file. */
const LARGEST = 64 * 1024 ** 2
/** How long a file may take, ms, and how long nothing may come. */
const FETCH_MS = 60_000
const STALL_MS = 10_000

export type RemoteAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

export type RemoteFetchOptions = {
  /** Hosts that are asked, such as `images.example.org` or `*.example.org`. */
  readonly hosts: readonly string[]
  /** All addresses of a host. Default: those that the system knows. */
  resolve?(host: string): Promise<readonly LookupAddress[]>
  /** Asks a host at one of its addresses. Default: by HTTPS. */
  connect?(url: URL, at: LookupAddress, signal: AbortSignal): Promise<RemoteAnswer>
  /** Default: `LARGEST`. */
  readonly maxBytes?: number
}

export type RemoteFile = {
  readonly name: string
  readonly type: string
  readonly body: AsyncIterable<Uint8Array>
}

export type RemoteFetch = (address: string, signal: AbortSignal) => Promise<RemoteFile>

/**
 * Throws `NOT_FOUND` for an address that may not be asked, and wherever the host gives no file; nobody learns which of
 * both it was. `REQUEST_TOO_LARGE` may come while the bytes are read.
 */
export function createRemoteFetch({
  hosts,
  resolve = (host) => lookup(host, { all: true }),
  connect = askByHttps,
  maxBytes = LARGEST,
}: RemoteFetchOptions): RemoteFetch {
  /** Resolved once, so that another answer of the name server counts for nothing. */
  async function ask(url: URL, signal: AbortSignal): Promise<RemoteAnswer> {
    const addresses = await resolve(url.hostname)
    const [at] = addresses
    if (!at || !addresses.every(({ address }) => isPublic(address))) throw nothingThere()
    return connect(url, at, signal)
  }
  return async (address, given) => {
    const signal = AbortSignal.any([given, AbortSignal.timeout(FETCH_MS)])
    let to = address
    for (let hops = 0; hops <= REDIRECTS; hops++) {
      const url = remoteAddress(to, hosts)
      if (!url) throw nothingThere()
      const { status, headers, body } = await ask(url, signal).catch((cause: unknown) => {
        throw nothingThere(cause)
      })
      const next = redirectOf(status, headers.location, url)
      if (next === undefined && status === 200) {
        if (Number(headers['content-length'] ?? 0) > maxBytes) {
          body.destroy()
          throw new AppError('REQUEST_TOO_LARGE')
        }
        return { name: nameOf(url), type: typeOf(headers), body: atMost(body, maxBytes, signal) }
      }
      body.destroy()
      if (next === undefined) throw nothingThere()
      to = next
    }
    throw nothingThere()
  }
}

const nothingThere = (cause?: unknown) => new AppError('NOT_FOUND', { cause })

const redirectOf = (status: number, location: string | undefined, from: URL): string | undefined =>
  [301, 302, 303, 307, 308].includes(status) && location !== undefined
    ? URL.parse(location, from.href)?.href
    : undefined

/** The last part of the path; the server judges by its ending, as of all files. */
function nameOf({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last).replaceAll(/[/\\]/g, '-') || 'file'
  } catch {
    return last || 'file'
  }
}

const typeOf = (headers: IncomingHttpHeaders): string =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''

async function* atMost(
  body: Readable,
  most: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  const stop = () => body.destroy(new AppError('REQUEST_TIMEOUT'))
  const timer = setTimeout(stop, STALL_MS)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const piece of body) {
      timer.refresh()
      bytes += piece.byteLength
      if (bytes > most) throw new AppError('REQUEST_TOO_LARGE')
      yield piece
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    body.destroy()
  }
}

/** The name in the certificate is that of the host, though the address is given. */
export function askByHttps(
  url: URL,
  at: LookupAddress,
  signal: AbortSignal,
): Promise<RemoteAnswer> {
  const pinned: LookupFunction = (_host, { all }, found) =>
    all ? found(null, [at]) : found(null, at.address, at.family)
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      ...{ lookup: pinned, signal, timeout: STALL_MS, agent: false },
      headers: { 'user-agent': 'Tablewire', 'accept-encoding': 'identity' },
    })
    asked.on('response', (body) =>
      resolve({ status: body.statusCode ?? 0, headers: body.headers, body }),
    )
    asked.on('timeout', () => asked.destroy(new AppError('REQUEST_TIMEOUT')))
    asked.on('error', reject)
    asked.end()
  })
}
