/** Tablewire under /admin of a plain Node server, with that server's own sign-in. */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type AuthProvider, createAdmin, openSqlite } from 'tablewire'
import { makeSampleShop } from '../sample-shop.ts'
import { safeNext, sessionCookie, signInPage } from '../sign-in-page.ts'

/** Names by session. A real application would ask its own store. */
const sessions = new Map<string, string>()
const sessionOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
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

const server = createServer((request, response) => {
  if (!admin.handle(request, response)) void answer(request, response)
})

/** The application itself. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const next = safeNext(searchParams.get('next'))
  const goTo = (location: string) => response.writeHead(303, { location }).end()
  response.setHeader('content-type', 'text/html')
  if (pathname === '/sign-in' && request.method === 'POST') {
    const session = randomUUID()
    sessions.set(session, new URLSearchParams(await text(request)).get('name') ?? '')
    response.setHeader('set-cookie', sessionCookie(session))
    goTo(next)
  } else if (pathname === '/sign-in') {
    response.end(signInPage(next))
  } else if (pathname === '/sign-out') {
    sessions.delete(sessionOf(request))
    goTo('/')
  } else {
    response.end('<a href="/admin/">Admin</a>')
  }
}

server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
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
