import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { endConnections } from './closing.ts'

/** An application of which every request is held in its own way. */
function openRoutes() {
  const app = fastify()
  endConnections(app, 50)
  const held = Promise.withResolvers<string>()
  const begun = new Map<string, PromiseWithResolvers<void>>()
  const beginning = (url: string) => {
    const known = begun.get(url) ?? Promise.withResolvers<void>()
    begun.set(url, known)
    return known
  }
  app.addContentTypeParser('text/plain', (_request, body, done) => done(null, body))
  app.get('/endless', (_request, reply) => {
    const stream = new Readable({ read: () => undefined })
    stream.push('begun')
    return reply.send(stream)
  })
  app.post<{ Body: Readable }>('/taken', async ({ body, url }) => {
    for await (const _piece of body) beginning(url).resolve()
    return 'taken'
  })
  app.post('/refused', (_request, reply) => reply.code(413).send('refused'))
  app.get('/held', ({ url }) => {
    beginning(url).resolve()
    return held.promise
  })
  return { app, held, begun: (url: string) => beginning(url).promise }
}

/** Sends the beginning of a request. */
function ask(port: number, line: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const body = 'Content-Type: text/plain\r\nContent-Length: 9\r\n\r\nso far'
  socket.write(`${line} HTTP/1.1\r\nHost: own\r\n${line.startsWith('POST') ? body : '\r\n'}`)
  return socket
}

const gone = (socket: Socket) => once(socket.resume(), 'close')

test('closing ends bodies and answers that the other side delays, and finishes what is worked on', async () => {
  const { app, held, begun } = openRoutes()
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const unread = ask(port, 'GET /endless')
  const unsent = ask(port, 'POST /taken')
  const refused = ask(port, 'POST /refused')
  await Promise.all([once(unread, 'data'), once(refused, 'data'), begun('/taken')])
  const answer = fetch(`http://127.0.0.1:${port}/held`)
  await begun('/held')
  const closed = app.close()
  await Promise.all([unread, unsent, refused].map(gone))
  held.resolve('finished')
  expect(await (await answer).text()).toBe('finished')
  await closed
})

test('in a host, closing waits for answers, ends those that are delayed, and leaves the connections', async () => {
  const { app, held, begun } = openRoutes()
  await app.ready()
  const host = createServer((request, response) => {
    if (request.url === '/own') response.end('own')
    else app.routing(request, response)
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
  // It listens on a port.
  const { port } = host.address() as AddressInfo
  const answer = fetch(`http://127.0.0.1:${port}/held`)
  await begun('/held')
  const unread = ask(port, 'GET /endless')
  await once(unread, 'data')
  const ended = gone(unread)
  const closed = app.close()
  held.resolve('finished')
  expect(await (await answer).text()).toBe('finished')
  await Promise.all([ended, closed])
  expect(await (await fetch(`http://127.0.0.1:${port}/own`)).text()).toBe('own')
  await new Promise((resolve) => host.close(resolve).closeAllConnections())
})
