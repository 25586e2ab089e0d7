import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { type ErrorCode, ERRORS } from '../../protocol/errors.ts'
import { AppError } from '../app-error.ts'
import { createHttp, sayRetryAfter } from './http.ts'

const openHttp = () =>
  createHttp({
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
