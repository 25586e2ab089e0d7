import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { type ErrorCode, ERRORS } from '../../protocol/errors.ts'
import { AppError } from '../app-error.ts'
import { createHttp, sayRetryAfter } from './http.ts'

const openHttp = (options: Pick<Parameters<typeof createHttp>[0], 'refusals'> = {}) =>
  createHttp({
    ...options,
    client: {
      folder: '',
      path: '',
      version: '',
      files: { script: '', imports: [], styles: [], fonts: [], messages: {} },
    },
    errorPage: () => expect.unreachable(),
  })

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

test('a refusal is logged with the pattern of its route, and nothing of an address that is none', async () => {
  const noted: string[] = []
  const note = (error: AppError, route?: string) => void noted.push(`${error.code} ${route}`)
  const app = await openHttp({ refusals: { note, flush: () => undefined } })
  app.get('/rows/:key', () => Promise.reject(new AppError('NOT_FOUND')))
  app.setNotFoundHandler(() => Promise.reject(new AppError('NOT_FOUND')))
  const headers = { 'x-requested-with': 'XMLHttpRequest' }
  for (const url of ['/rows/7', '/secret']) await app.inject({ url, headers })
  expect(noted).toEqual(['NOT_FOUND GET /rows/:key', 'NOT_FOUND GET'])
  await app.close()
})

test('closing waits for what was asked, and not for connections that a browser opened ahead', async () => {
  const app = await openHttp()
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<string>()
  app.get('/slow', () => {
    asked.resolve()
    return held.promise
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const opened = once(app.server, 'connection')
  const unused = connect(Number(new URL(origin).port), '127.0.0.1')
  await opened
  const answer = fetch(`${origin}/slow`)
  await asked.promise
  const gone = once(unused.resume(), 'close')
  const closed = app.close()
  await gone
  held.resolve('said')
  expect(await (await answer).text()).toBe('said')
  await closed
})
