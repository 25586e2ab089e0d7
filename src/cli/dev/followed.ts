/** The server's half of `tablewire dev`: sends its port to the parent process, and ends with it. */

import type { AddressInfo } from 'node:net'

/** Environment variable with the id of the served code, set by the parent process. */
export const DEV_CODE = 'TABLEWIRE_DEV_CODE'

/** Sends the port to the parent process, which starts the next server at the same one. */
export function sendPort(address: string | AddressInfo | null): void {
  process.send?.(typeof address === 'object' && address ? address.port : 0)
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // Listening for `disconnect` alone must not keep the process alive.
  process.channel?.unref()
}
