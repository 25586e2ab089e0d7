/** Answers at the server's port while the server cannot start, so that open pages show why. */

import { createServer } from 'node:http'
import { AppError } from '../../server/app-error.ts'
import { BARE_HEADERS } from '../../server/http/bare-refusal.ts'
import { isOwnHost } from '../../server/http/own-host.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { EVENTS_PATH, failedEvent, type ListenAddress } from './followed.ts'

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }

export type StandIn = { close(): Promise<void> }

/** `failure` is shown without the secrets that it may hold. */
export function openStandIn({ host, port, names }: ListenAddress, failure: string): StandIn {
  const shown = withoutSecrets(failure)
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(BARE_HEADERS)) response.setHeader(name, value)
    if (!isOwnHost(request.headers.host, names)) {
      const { status, message } = new AppError('HOST_UNKNOWN')
      response.writeHead(status, TEXT)
      response.end(message)
    } else if (request.url?.includes(EVENTS_PATH)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(failedEvent(shown))
    } else {
      response.writeHead(503, { ...TEXT, 'retry-after': '1' })
      response.end(shown)
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
