/** The server's half of `tablewire dev`: sends its address to the parent process, and ends with it. */

import type { AddressInfo } from 'node:net'
import * as v from 'valibot'

/** Environment variable with the id of the served code, set by the parent process. */
export const DEV_CODE = 'TABLEWIRE_DEV_CODE'

/** Path of the events that open pages listen to. */
export const EVENTS_PATH = '/tablewire/dev/events'

/** How soon a page reconnects after the server has gone, ms. */
export const RETRY_MS = 200

/** The event that shows a failure on open pages. */
export const failedEvent = (failure: string): string =>
  `retry: ${RETRY_MS}\nevent: failed\ndata: ${JSON.stringify(failure)}\n\n`

const addressSchema = v.object({
  host: v.string(),
  port: v.number(),
  /** Names of hosts that it answers to, besides loopback names and addresses. */
  names: v.array(v.string()),
})

/** Where the server listens. */
export type ListenAddress = v.InferOutput<typeof addressSchema>

/** The address in a message of the server; `undefined` for any other message. */
export function readAddress(message: unknown): ListenAddress | undefined {
  const result = v.safeParse(addressSchema, message)
  return result.success ? result.output : undefined
}

/** Sends the address to the parent process, which starts the next server at the same port. */
export function sendAddress(address: string | AddressInfo | null, names: readonly string[]): void {
  if (typeof address === 'object' && address)
    process.send?.({
      host: address.address,
      port: address.port,
      names: [...names],
    } satisfies ListenAddress)
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // Listening for `disconnect` alone must not keep the process alive.
  process.channel?.unref()
}

const failureSchema = v.object({ failure: v.string() })

/** Calls `show` with each failure that the parent process reports. */
export function onFailure(show: (failure: string) => void): void {
  process.on('message', (message) => {
    const result = v.safeParse(failureSchema, message)
    if (result.success) show(result.output.failure)
  })
  process.channel?.unref()
}
