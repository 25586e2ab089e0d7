/** Ends the connections of an application that closes: what it works on is finished, who is slow has some seconds. */

import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** How long a connection that is opened while the application closes has to ask something, ms. */
const LAST_MOMENT_MS = 1000
/** How long a browser may leave an answer unread, or go on sending a body, while the application closes, ms. */
const LAST_MS = 5000

/** Something that can be ended: a connection, or the answer that is on its way over one. */
type Endable = { destroy(): unknown }

/**
 * Closing waits for what was asked. Node alone would also wait for connections that browsers open ahead, for up
 * to a minute, and for a file that somebody reads or sends slowly, for half an hour or longer. In a host, whose
 * connections are its own, only the answers are waited for.
 */
export function endConnections(app: FastifyInstance, lastMs = LAST_MS): void {
  const { server } = app
  const sockets = new Set<Socket>()
  const replies = new Set<FastifyReply>()
  const answered = Promise.withResolvers<void>()
  let isClosing = false

  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('onRequest', ({ raw: { headers } }, reply, done) => {
    // Sockets of live events are closed by themselves.
    if (headers.upgrade !== undefined) return done()
    replies.add(reply)
    const end = () => {
      replies.delete(reply)
      if (!isClosing) return
      if (replies.size === 0) answered.resolve()
      // The last answer of a connection.
      setImmediate(() => server.closeIdleConnections())
    }
    reply.raw.once('finish', end).once('close', end)
    done()
  })

  const endUnused = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  /** What the other side decides about: bodies, answers, and connections on which nothing is asked. */
  function waiting(): Set<Endable> {
    const working = [...replies].filter(isWorkedOn).map(({ request }) => request.raw.socket)
    const others = new Set<Endable>(
      [...replies].filter((one) => !isWorkedOn(one)).map(({ raw }) => raw),
    )
    for (const socket of sockets) if (!working.includes(socket)) others.add(socket)
    return others
  }

  let timers: NodeJS.Timeout[] = []
  app.addHook('preClose', (done) => {
    isClosing = true
    endUnused()
    let before = waiting()
    const endSlow = () => {
      const now = waiting()
      for (const one of now) if (before.has(one)) one.destroy()
      before = now
      answered.resolve()
    }
    timers = [
      // A connection made in the last moment may still send a request, and is told that the server stops.
      setTimeout(endUnused, LAST_MOMENT_MS).unref(),
      setInterval(endSlow, lastMs),
    ]
    done()
  })
  // A server of its own has ended all connections by now.
  app.addHook('onClose', async () => {
    if (replies.size > 0) await answered.promise
    for (const timer of timers) clearInterval(timer)
  })
}

/** Whether it has been asked whole, and not answered yet. */
const isWorkedOn = ({ request, raw }: FastifyReply): boolean =>
  isWhole(request.raw) && !raw.headersSent

/** A request that a host passes on as an object has no connection to be complete on. */
const isWhole = ({
  complete = false,
  readableEnded,
}: {
  complete?: boolean
  readableEnded: boolean
}) => complete || readableEnded
