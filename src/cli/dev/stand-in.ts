/** Answers at the server's port while the server cannot start, so that open pages show why. */

import { createServer } from 'node:http'
import { EVENTS_PATH, failedEvent, type ListenAddress } from './followed.ts'

export type StandIn = { close(): Promise<void> }

export function openStandIn({ host, port }: ListenAddress, failure: string): StandIn {
  const server = createServer((request, response) => {
    if (request.url?.startsWith(EVENTS_PATH)) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write(failedEvent(failure))
    } else {
      response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' })
      response.end(failure)
    }
  })
  // If the port is taken, the terminal alone says what went wrong.
  server.on('error', () => undefined)
  server.listen(port, host)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Event streams never end by themselves.
        server.closeAllConnections()
      }),
  }
}
