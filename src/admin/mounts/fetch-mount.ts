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
/** How much of a body is read after its answer, bytes; the host's time limit ends what is longer. */
const MAX_REST = 512 * 1024

/** Answers a request as if it had come over a socket; both bodies are streamed. */
export function createFetchMount(app: FastifyInstance, hostRequests: HostRequests) {
  const current = new AsyncLocalStorage<Request>()
  app.addHook('onRequest', (request, _reply, done) => {
    const original = current.getStore()
    if (original) hostRequests.set(request.raw, original)
    done()
  })
  return async (request: Request): Promise<Response> => {
    // Node and the DOM library type the same web stream differently.
    const body = request.body && takeBody(request.body as ReadableStream<Uint8Array>)
    const pending = current.run(request, () => inject(request, body?.payload))
    const answer = await pending.finally(() => body?.end())
    const { statusCode: status } = answer
    const isEmpty = request.method === 'HEAD' || EMPTY.has(status)
    const stream = isEmpty ? null : bodyOf(answer.stream())
    return new Response(stream, { status, headers: headersOf(answer.headers) })
  }

  /** Awaits here, because an injection starts only when awaited, and must start inside `current`. */
  async function inject(request: Request, payload: Readable | undefined) {
    const { pathname, search, host } = new URL(request.url)
    return await app.inject({
      method: request.method,
      url: pathname + search,
      headers: { host, ...Object.fromEntries(request.headers) },
      ...(payload && { payload }),
      signal: request.signal,
      payloadAsStream: true,
    })
  }
}

/**
 * The body as a stream that ends with the answer. What the answer did not wait for is read and dropped, as
 * Node itself does, so that the connection can carry the next request; cancelling could close it before
 * the answer has been sent.
 */
function takeBody(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  let isAnswered = false
  const payload = new Readable({
    read() {
      if (isAnswered) return void this.push(null)
      reader.read().then(
        ({ done, value }) => this.push(done || isAnswered ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
  })
  async function dropRest(): Promise<void> {
    for (let bytes = 0; bytes < MAX_REST;) {
      const { done, value } = await reader.read()
      if (done) return
      bytes += value.byteLength
    }
  }
  return {
    payload,
    end() {
      isAnswered = true
      // The client has gone, or the host has ended the body.
      dropRest().catch(() => undefined)
    },
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
