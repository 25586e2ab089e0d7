/**
 * A server of sockets in a process of its own: `tablewire`, or `bare` for `ws` alone. It is told over IPC
 * what to publish, and answers with what that took.
 */

import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { createRealtimeServer } from '../src/realtime/realtime-server.ts'
import { broadcastData, REALTIME_APP } from './realtime-app.ts'

export type HostCommand =
  | { readonly kind: 'publish'; readonly id: number }
  | { readonly kind: 'memory' }
  | { readonly kind: 'stop' }

export type HostAnswer = {
  readonly port?: number
  /** When publishing began, monotonic ns, as text. */
  readonly began?: string
  /** How long the call took, ms. */
  readonly took?: number
  /** Resident bytes. */
  readonly memory?: number
  /** CPU time of the process so far, ms. */
  readonly cpu: number
}

const server = createServer()
const publish = process.argv[2] === 'bare' ? bare() : tablewire()

function tablewire(): (id: number) => void {
  const limits = { connections: 20_000, connectionsPerNetwork: 20_000 }
  const realtime = createRealtimeServer({
    app: REALTIME_APP,
    origins: [],
    allowNoOrigin: true,
    limits,
  })
  server.on('upgrade', (request, socket, head) => {
    if (!realtime.upgrade(request, socket, head)) socket.destroy()
  })
  return (id) =>
    realtime.publish({ channels: ['private-bench'], name: 'changed', data: broadcastData(id) })
}

/** What every tutorial shows: a loop over the clients. It greets and confirms as the protocol does. */
function bare(): (id: number) => void {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    socket.on('message', () => socket.send('{"event":"pusher_internal:subscription_succeeded"}'))
    socket.send('{"event":"pusher:connection_established","data":"{\\"socket_id\\":\\"1.2\\"}"}')
  })
  return (id) => {
    const data = JSON.stringify(broadcastData(id))
    const text = JSON.stringify({ event: 'changed', channel: 'private-bench', data })
    for (const socket of sockets.clients) socket.send(text)
  }
}

const answer = (more: Omit<HostAnswer, 'cpu'>): void => {
  const { user, system } = process.cpuUsage()
  process.send?.({ ...more, cpu: (user + system) / 1000 } satisfies HostAnswer)
}

process.on('message', (command: HostCommand) => {
  if (command.kind === 'stop') process.exit()
  if (command.kind === 'memory') {
    globalThis.gc?.()
    answer({ memory: process.memoryUsage().rss })
  } else {
    const began = process.hrtime.bigint()
    publish(command.id)
    const took = Number(process.hrtime.bigint() - began) / 1e6
    answer({ began: String(began), took })
  }
})

server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address()
  answer({ port: typeof address === 'object' && address ? address.port : 0 })
})
