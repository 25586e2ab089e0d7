/** Waits for the answer to a request of Node's own client. */

import type { ClientRequest, IncomingMessage } from 'node:http'

export function responseOf(asked: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  asked.once('response', resolve)
  asked.once('error', reject)
  return promise
}
