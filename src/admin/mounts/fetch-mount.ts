/** The mount for hosts that use `Request` and `Response` instead of Node's own types. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance } from 'fastify'
import type { HostRequests } from './mounts.ts'

/** Headers about the connection, which is the host's; `connection: close` is passed on. */
const HOP_BY_HOP = new Set(['connection: keep-alive', 'keep-alive', 'transfer-encoding'])
/** Statuses without a body. */
const EMPTY = new Set([204, 205, 304])

/** Answers a request as if it had come over a socket; both bodies are streamed. */
export function createFetchMount(app: FastifyInstance, hostRequests: HostRequests) {
  const current = new AsyncLocalStorage<Request>()
  app.addHook('onRequest', (request, _reply, done) => {
    const original = current.getStore()
    if (original) hostRequests.set(request.raw, original)
    done()
  })
  return async (request: Request): Promise<Response> => {
    const answered = new AbortController()
    // Node and the DOM library type the same web stream differently.
    const body = request.body && untilAborted(request.body as ReadableStream, answered.signal)
    const pending = current.run(request, () => inject(request, body))
    const answer = await pending.finally(() => answered.abort())
    const { statusCode: status } = answer
    const isEmpty = request.method === 'HEAD' || EMPTY.has(status)
    const stream = isEmpty ? null : bodyOf(answer.stream())
    return new Response(stream, { status, headers: headersOf(answer.headers) })
  }

  /** Awaits here, because an injection starts only when awaited, and must start inside `current`. */
  async function inject(request: Request, body: AsyncIterable<Uint8Array> | null) {
    const { pathname, search, host } = new URL(request.url)
    return await app.inject({
      method: request.method,
      url: pathname + search,
      headers: { host, ...Object.fromEntries(request.headers) },
      ...(body && { payload: Readable.from(body, { objectMode: false }) }),
      signal: request.signal,
      payloadAsStream: true,
    })
  }
}

/**
 * Leaves the rest of the body unread instead of cancelling it: that could close the connection
 * before the answer has been sent.
 */
async function* untilAborted(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body.values({ preventCancel: true })) {
    if (signal.aborted) return
    yield chunk
  }
}

type OutgoingHeaders = { readonly [name: string]: number | string | string[] | undefined }

function headersOf(outgoing: OutgoingHeaders): Headers {
  const headers = new Headers()
  for (const [name, value = []] of Object.entries(outgoing))
    for (const one of [value].flat())
      if (!HOP_BY_HOP.has(name) && !HOP_BY_HOP.has(`${name}: ${one}`))
        headers.append(name, String(one))
  return headers
}

// Node and the DOM library type the same web stream differently.
const bodyOf = (stream: Readable) => Readable.toWeb(stream) as globalThis.ReadableStream
