/** Tablewire under /admin of a Fastify application, with that application's own sign-in. */

import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import fastify, { type FastifyRequest } from 'fastify'
import { type AuthProvider, createAdmin, openSqlite } from 'tablewire'
import { makeSampleShop } from '../sample-shop.ts'
import { safeNext, sessionCookie, signInPage } from '../sign-in-page.ts'

/** Names by session. A real application would ask its own store. */
const sessions = new Map<string, string>()

const auth: AuthProvider = {
  authenticate({ hostRequest }) {
    // Fastify's own request, with the cookies that the plugin has parsed.
    const session = (hostRequest as FastifyRequest).cookies['session'] ?? ''
    const name = sessions.get(session)
    return name === undefined ? undefined : { id: name, name, role: 'admin', session }
  },
  signInUrl: (returnTo) => `/sign-in?next=${encodeURIComponent(returnTo)}`,
  signOutUrl: '/sign-out',
}

const { file, dataFolder } = makeSampleShop()
const source = await openSqlite(file)
const admin = await createAdmin({ source, dataFolder, prefix: '/admin', auth, log: console.error })

const app = fastify()
await app.register(cookie)
await app.register(formbody)
await app.register(admin.plugin)
// Its server would wait for the admin’s sockets.
app.addHook('preClose', () => admin.close())

type Next = { Querystring: { next?: string } }
app.get('/', (_request, reply) => reply.type('text/html').send('<a href="/admin/">Admin</a>'))
app.get<Next>('/sign-in', ({ query }, reply) =>
  reply.type('text/html').send(signInPage(safeNext(query.next))),
)
app.post<Next & { Body: { name: string } }>('/sign-in', ({ query, body }, reply) => {
  const session = randomUUID()
  sessions.set(session, body.name)
  return reply.header('set-cookie', sessionCookie(session)).redirect(safeNext(query.next), 303)
})
app.get('/sign-out', ({ cookies }, reply) => {
  sessions.delete(cookies['session'] ?? '')
  return reply.redirect('/', 303)
})

const origin = await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
console.log(`Open ${origin}/admin/`)
// Sockets of live events.
app.server.on('upgrade', (request, socket, head) => {
  if (!admin.upgrade(request, socket, head)) socket.destroy()
})
process.once('SIGTERM', () => void app.close())
