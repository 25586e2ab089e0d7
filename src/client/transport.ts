/** The only place that fetches: every request of the client leaves from here. */

import type { PageData, ShownPage } from '../protocol/page.ts'
import {
  type ComponentRequest,
  type ErrorBody,
  HEADERS,
  NAVIGATE,
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
      /** The page that something else than this server has answered with, such as a proxy. */
      readonly html: string | null
      readonly retryAfterMs: number | null
    }
  /** The network failed: treated as status 503 (spec §8). */
  | { readonly kind: 'unreachable' }

/** A page, one that says what went wrong included, or an answer that only a document can show. */
export type PageAnswer =
  | { readonly kind: 'page'; readonly page: PageData }
  | Exclude<Answer<never>, { kind: 'ok' }>
  | { readonly kind: 'document' }

export type PageOptions = {
  /** Default: a visit. */
  readonly as?: keyof typeof NAVIGATE
  readonly signal?: AbortSignal
  /** Whether to find out if a request that fails was led to another origin. Default: false. */
  readonly findsAway?: boolean
}

export type Transport = {
  update(
    url: string,
    components: readonly ComponentRequest[],
    key: string,
    /** Aborts the request; it then rejects with the signal's reason. Default: it is never aborted. */
    signal?: AbortSignal,
    /** Value of the marker. Default: 1. */
    marker?: string,
  ): Promise<Answer<UpdateResponse>>
  /** The page at an address without fragment; follows redirects. */
  page(href: string, options?: PageOptions): Promise<PageAnswer>
  /** Says that a prefetched page is shown. */
  shown(href: string): Promise<Answer<ShownPage>>
  /** Posts fields as a form does; whoever asks knows what the address answers. */
  form<T>(href: string, fields: Record<string, string>): Promise<Answer<T>>
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
      init.signal?.throwIfAborted()
      return { kind: 'unreachable' }
    }
    const answer = await read<T>(response)
    init.signal?.throwIfAborted()
    return answer
  }
  return {
    update(url, components, key, signal, marker = '1') {
      const body: UpdateRequest = { _token: requireToken(csrf()), components: [...components] }
      const extra = {
        'Content-Type': 'application/json',
        [HEADERS.marker]: marker,
        [HEADERS.idempotencyKey]: key,
      }
      // Nothing limits its time (spec §9): the server bounds its own, and the person can cancel.
      return send(url, {
        method: 'POST',
        headers: headers(extra),
        body: JSON.stringify(body),
        ...(signal && { signal }),
      })
    },
    async page(href, { as = 'visit', signal, findsAway = false } = {}) {
      const init: RequestInit = {
        credentials: 'same-origin',
        headers: headers({ [HEADERS.navigate]: NAVIGATE[as] }),
        ...(signal && { signal }),
      }
      let response
      try {
        response = await fetch(href, init)
      } catch {
        if (!findsAway || signal?.aborted) return { kind: 'unreachable' }
        // A redirect to another origin fails like a network that is down, so ask without following.
        const probe = await fetch(href, { ...init, redirect: 'manual' }).catch(() => null)
        return { kind: probe?.type === 'opaqueredirect' ? 'document' : 'unreachable' }
      }
      return readPage(response)
    },
    shown: (href) => send(href, { headers: headers({ [HEADERS.navigate]: NAVIGATE.shown }) }),
    form(href, fields) {
      const token = csrf()
      return send(href, {
        method: 'POST',
        headers: headers(token ? { [HEADERS.csrf]: token } : {}),
        body: new URLSearchParams(fields),
      })
    },
  }
}

/** Throws `CSRF_MISSING` on a page without a token (spec §8). */
export function requireToken(token: string | null): string {
  if (token) return token
  throw new CallError('CSRF_MISSING', 'No CSRF token was detected.', 0)
}

async function readPage(response: Response): Promise<PageAnswer> {
  if (!isJson(response)) {
    await response.body?.cancel().catch(() => undefined)
    return isTemporary(response) ? refusalOf(response, undefined, '') : { kind: 'document' }
  }
  const text = await response.text().catch(() => null)
  if (text === null) return { kind: 'unreachable' }
  const body = parse(text)
  if (isPage(body)) return { kind: 'page', page: body }
  return isTemporary(response) ? refusalOf(response, body, '') : { kind: 'document' }
}

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false

const isTemporary = ({ status }: Response): boolean => status === 429 || status === 503

/** Reads these fields of a body, which may come from a proxy and hold anything. */
export const fieldsOf = <Body>(body: unknown): Partial<Body> => Object(body)

/** Other servers answer in between, so look at what the client relies on. */
function isPage(body: unknown): body is PageData {
  const { assets, components, content } = fieldsOf<PageData>(body)
  return typeof assets?.version === 'string' && Array.isArray(components) && Boolean(content?.page)
}

async function read<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text().catch(() => null)
  if (text === null) return { kind: 'unreachable' }
  const body = parse(text)
  if (response.ok && body !== undefined && !response.redirected)
    // An answer that succeeds is the server's own, of the type that its endpoint has.
    return { kind: 'ok', body: body as T }
  return refusalOf(response, body, text)
}

const refusalOf = (response: Response, body: unknown, text: string) =>
  ({
    kind: 'refused',
    status: response.ok ? 500 : response.status,
    error: errorOf(body),
    html: body === undefined && isHtml(response) ? text.slice(0, HTML_MAX) : null,
    retryAfterMs: retryAfter(response.headers.get('retry-after')),
  }) as const

/** Longest error page that is kept, characters. */
const HTML_MAX = 500_000

const isHtml = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/html') ?? false

/** The server's error. A proxy in between may answer with something else. */
function errorOf(body: unknown): ErrorBody['error'] {
  // Another program may have answered, so the code is checked below.
  const { error } = fieldsOf<ErrorBody>(body)
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
