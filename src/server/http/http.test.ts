import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { type ErrorCode, ERRORS } from '../../protocol/errors.ts'
import { AppError } from '../app-error.ts'
import { createHttp, sayRetryAfter } from './http.ts'
import { abortOnClose } from './scope-of.ts'

/** What is said with a refusal about when to come again. */
function told(error: AppError): string | undefined {
  let value: string | undefined
  sayRetryAfter(
    { header: (_name: string, text: string) => (value = text) } as never as FastifyReply,
    error,
  )
  return value
}

test.each(Object.keys(ERRORS) as ErrorCode[])(
  '%s says when to come again if it is 429 or 503',
  (code) => {
    const error = new AppError(code)
    expect(told(error)).toBe([429, 503].includes(error.status) ? '1' : undefined)
    expect(told(new AppError(code, { retryAfter: 7 }))).toBe('7')
  },
)

test('a request that takes too long is ended and answered with TIME_LIMIT', async () => {
  const app = await createHttp({
    client: {
      folder: '',
      path: '',
      version: '',
      files: { script: '', imports: [], styles: [], fonts: [], messages: {} },
    },
    errorPage: () => expect.unreachable(),
    handlerLimitMs: 20,
  })
  const ended = Promise.withResolvers<unknown>()
  app.get('/slow', (_request, reply) => {
    const signal = abortOnClose(reply)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        ended.resolve(signal.reason)
        reject(signal.reason as Error)
      })
    })
  })
  const response = await app.inject('/slow')
  expect(response.statusCode).toBe(503)
  expect(response.json()).toMatchObject({ error: { code: 'TIME_LIMIT' } })
  expect(await ended.promise).toMatchObject({ code: 'FST_ERR_HANDLER_TIMEOUT' })
  await app.close()
})

test('what begins after the client has gone, or after the time is up, is aborted at once', async () => {
  const of = (raw: object, signal = new AbortController().signal) =>
    // All that is read of a reply.
    abortOnClose({ raw: Object.assign(new EventEmitter(), raw), request: { signal } } as never)
  expect(of({ closed: true, writableFinished: false }).aborted).toBe(true)
  expect(of({ closed: true, writableFinished: true }).aborted).toBe(false)
  const open = { closed: false, writableFinished: false }
  expect(of(open).aborted).toBe(false)
  const reason = { code: 'FST_ERR_HANDLER_TIMEOUT' }
  expect(of(open, AbortSignal.abort(reason)).reason).toBe(reason)
  expect(of(open, AbortSignal.abort()).aborted).toBe(false)
})
