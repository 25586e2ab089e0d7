/** Tablewire under /admin of an Express application, with that application's own sign-in. */

import { randomUUID } from 'node:crypto'
import express, { type Request } from 'express'
import { type AuthProvider, createAdmin, openSqlite } from 'tablewire'
import { makeSampleShop } from '../sample-shop.ts'
import { safeNext, sessionCookie, signInPage } from '../sign-in-page.ts'

/** Names by session. A real application would ask its own store. */
const sessions = new Map<string, string>()
const sessionOf = ({ headers }: Pick<Request, 'headers'>): string =>
  /(?:^|; )session=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''

const auth: AuthProvider = {
  authenticate(request) {
    const session = sessionOf(request)
    const name = sessions.get(session)
    return name === undefined ? undefined : { id: name, name, role: 'admin', session }
  },
  signInUrl: (returnTo) => `/sign-in?next=${encodeURIComponent(returnTo)}`,
  signOutUrl: '/sign-out',
}

const { file, dataFolder } = makeSampleShop()
const source = await openSqlite(file)
const admin = await createAdmin({ source, dataFolder, prefix: '/admin', auth, log: console.error })

const app = express()
// Before body parsers: the admin reads its requests itself.
app.use(admin.middleware)
app.use(express.urlencoded())
app.get('/', (_request, response) => void response.send('<a href="/admin/">Admin</a>'))
app.get('/sign-in', (request, response) => {
  response.send(signInPage(safeNext(request.query['next'])))
})
app.post('/sign-in', (request, response) => {
  const session = randomUUID()
  sessions.set(session, String(request.body.name))
  response.setHeader('set-cookie', sessionCookie(session))
  response.redirect(303, safeNext(request.query['next']))
})
app.get('/sign-out', (request, response) => {
  sessions.delete(sessionOf(request))
  response.redirect(303, '/')
})

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : ''
  console.log(`Open http://127.0.0.1:${port}/admin/`)
})
// Sockets of live events.
server.on('upgrade', (request, socket, head) => {
  if (!admin.upgrade(request, socket, head)) socket.destroy()
})
process.once('SIGTERM', () => {
  server.close()
  void admin.close()
})
