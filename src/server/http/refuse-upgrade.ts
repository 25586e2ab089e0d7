/** Refuses an upgrade of a connection, which no answer of the application is about. */

import type { Duplex } from 'node:stream'

/** `status`: code and reason, such as `404 Not Found`. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  const headers = ['Connection: close', 'Content-Length: 0', 'X-Content-Type-Options: nosniff']
  socket.end([`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n'))
}
