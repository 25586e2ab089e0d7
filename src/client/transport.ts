/** The only place that fetches: every request of the client leaves from here. */

import type { PageData } from '../protocol/page.ts'
import {
  type ComponentRequest,
  type ErrorBody,
  HEADERS,
  REQUESTED_WITH,
  type UpdateRequest,
  type UpdateResponse,
} from '../protocol/wire.ts'
import { CallError } from './call-error.ts'

/** An answer, a refusal with the server's error, or no answer at all. */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly body: T }
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly error: ErrorBody['error']
      readonly retryAfterMs: number | null
    }
  /** The network failed: treated as status 503 (spec §8). */
  | { readonly kind: 'unreachable' }

export type Transport = {
  update(
    url: string,
    components: readonly ComponentRequest[],
    key: string,
  ): Promise<Answer<UpdateResponse>>
  page(href: string): Promise<Answer<PageData>>
}

export type TransportOptions = {
  fetch: typeof fetch
  /** The page's CSRF token, read anew for each request; `null` where the page has none. */
  csrf(): string | null
  /** Id of the connected socket, or `null`. */
  socketId(): string | null
}

export function createTransport({ fetch, csrf, socketId }: TransportOptions): Transport {
  const headers = (extra: Record<string, string>): Record<string, string> => {
    const socket = socketId()
    return {
      Accept: 'application/json',
      [HEADERS.requestedWith]: REQUESTED_WITH,
      ...(socket !== null && { [HEADERS.socketId]: socket }),
      ...extra,
    }
  }
  const send = async <T>(href: string, init: RequestInit): Promise<Answer<T>> => {
    let response
    try {
      response = await fetch(href, { credentials: 'same-origin', ...init })
    } catch {
      return { kind: 'unreachable' }
    }
    return read<T>(response)
  }
  return {
    update(url, components, key) {
      const body: UpdateRequest = { _token: requireToken(csrf()), components: [...components] }
      const extra = {
        'Content-Type': 'application/json',
        [HEADERS.marker]: '1',
        [HEADERS.idempotencyKey]: key,
      }
      return send(url, { method: 'POST', headers: headers(extra), body: JSON.stringify(body) })
    },
    page: (href) => send(href, { headers: headers({ [HEADERS.navigate]: '1' }) }),
  }
}

function requireToken(token: string | null): string {
  if (token) return token
  throw new CallError(
    'CSRF_MISSING',
    'No CSRF token was detected. The page needs <meta name="csrf-token" content="…">.',
    0,
  )
}

async function read<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text().catch(() => null)
  if (text === null) return { kind: 'unreachable' }
  const body = parse(text)
  if (response.ok && body !== undefined && !response.redirected)
    return { kind: 'ok', body: body as T }
  return {
    kind: 'refused',
    status: response.ok ? 500 : response.status,
    error: errorOf(body),
    retryAfterMs: retryAfter(response.headers.get('retry-after')),
  }
}

/** The server's error. A proxy in between may answer with something else. */
function errorOf(body: unknown): ErrorBody['error'] {
  const { error } = (body ?? {}) as Partial<ErrorBody>
  return typeof error?.code === 'string' ? error : { code: 'SERVER_ERROR', message: '' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Longest `Retry-After` that is followed, ms, because timers overflow after 24 days. */
const LONGEST_RETRY_AFTER_MS = 3_600_000

function retryAfter(header: string | null): number | null {
  const seconds = header ? Number(header) : NaN
  return seconds >= 0 ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : null
}
