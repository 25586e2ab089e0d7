import { EventEmitter, once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { abortOnClose } from './end-of-request.ts'
import { createHttp } from './http.ts'

const openHttp = () =>
  createHttp({
    client: {
      folder: '',
      path: '',
      version: '',
      files: { script: '', imports: [], styles: [], fonts: [], messages: {} },
    },
    errorPage: () => expect.unreachable(),
    handlerLimitMs: 20,
  })

test('a request that takes too long is ended and answered with TIME_LIMIT', async () => {
  const app = await openHttp()
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
  expect(await ended.promise).toMatchObject({ code: 'TIME_LIMIT' })
  await app.close()
})

test('what begins after the time is up is aborted at once, and its answer is dropped', async () => {
  const app = await openHttp()
  const late = Promise.withResolvers<boolean>()
  app.get('/late', async (_request, reply) => {
    await once(reply.raw, 'finish')
    late.resolve(abortOnClose(reply).aborted)
    return 'late'
  })
  expect((await app.inject('/late')).json()).toMatchObject({ error: { code: 'TIME_LIMIT' } })
  expect(await late.promise).toBe(true)
  await app.close()
})

test('a route has its own limit, and an answer under way is broken off', async () => {
  const app = await openHttp()
  const begun = Promise.withResolvers<void>()
  const rows = new Readable({ read: () => undefined })
  app.get('/rows', { config: { limitMs: 300 } }, (_request, reply) => {
    void reply.send(rows)
    rows.push('one')
    begun.resolve()
    return reply
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`${origin}/rows`, { headers: { 'accept-encoding': 'identity' } })
  await begun.promise
  const reader = response.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('one')
  await expect(reader?.read()).rejects.toThrow('terminated')
  await app.close()
})

test('what begins after the client has gone is aborted at once', () => {
  const of = (raw: object) =>
    // All that is read of a reply.
    abortOnClose({ raw: Object.assign(new EventEmitter(), raw) } as never)
  expect(of({ closed: true, writableFinished: false }).aborted).toBe(true)
  expect(of({ closed: true, writableFinished: true }).aborted).toBe(false)
  expect(of({ closed: false, writableFinished: false }).aborted).toBe(false)
})
