/** A server that a development process has started: it says where it listens, and ends with it. */

import type { AddressInfo } from 'node:net'

/** Name of the code that is served, as the process that started this one calls it. */
export const CODE = 'TABLEWIRE_DEV_CODE'

/** Tells whoever started this process the port, so that pages find the next server at the same one. */
export function tellPort(address: string | AddressInfo | null): void {
  process.send?.(typeof address === 'object' && address ? address.port : 0)
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // To listen for that alone would keep the process.
  process.channel?.unref()
}
