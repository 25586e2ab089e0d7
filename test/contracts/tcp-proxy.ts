/** A proxy between a client and a server that simulates network failures. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  readonly port: number
  /** Closes all connections, and accepts no new ones. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  /** Silently drops everything from now on. */
  holdBack(): void
  /** Forwards again from now on. */
  letThrough(): void
  /** Closes a connection as soon as the client has sent this. */
  cutAt(text: string): void
  close(): Promise<void>
}

export async function openProxy(target: number, host = '127.0.0.1'): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isHeld = false
  let cut: string | undefined
  const server = createServer((client) => {
    const upstream = connect(target, host)
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    client.on('data', (data) => {
      if (isHeld) return
      upstream.write(data)
      if (cut !== undefined && data.includes(cut)) {
        cut = undefined
        // The server must have received the text before the connection ends.
        upstream.end()
        client.destroy()
      }
    })
    upstream.on('data', (data) => {
      if (!isHeld && !client.destroyed) client.write(data)
    })
    for (const socket of pair) socket.on('error', end).on('close', end)
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  const goDown = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
    await closed
  }
  const port = await listen(0)
  return {
    port,
    goDown,
    comeBack: async () => void (await listen(port)),
    holdBack: () => void (isHeld = true),
    letThrough: () => void (isHeld = false),
    cutAt: (text) => void (cut = text),
    close: async () => {
      if (server.listening) await goDown()
    },
  }
}
