/**
 * Downloads a file and counts its bytes, in a process of its own, so that the measured server's process
 * does only the server's work and holds only the server's memory.
 */

import { fork } from 'node:child_process'
import { request } from 'node:http'
import { responseOf } from './response-of.ts'

/** What to post, and where. */
export type Order = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Downloaded = {
  readonly bytes: number
  /** Times until the first and the last byte, ms. */
  readonly firstMs: number
  readonly allMs: number
}

/** Starts the process, which waits for its order, so that its start is not measured. */
export async function startDownloader(): Promise<(order: Order) => Promise<Downloaded>> {
  const child = fork(new URL(import.meta.url))
  const answer = () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    child.once('message', resolve)
    return promise
  }
  await answer()
  return async (order) => {
    child.send(order)
    const done = await answer()
    if (typeof done === 'string') throw new Error(done)
    // Only `download` answers.
    return done as Downloaded
  }
}

async function download({ url, headers, body }: Order): Promise<Downloaded | string> {
  const started = performance.now()
  const asked = request(url, { method: 'POST', headers })
  asked.end(body)
  const response = await responseOf(asked)
  let [bytes, firstMs] = [0, 0]
  for await (const piece of response) {
    firstMs ||= performance.now() - started
    // A response without an encoding is made of buffers.
    bytes += (piece as Buffer).length
  }
  if (response.statusCode !== 200) return `The server answered ${response.statusCode}.`
  return { bytes, firstMs, allMs: performance.now() - started }
}

if (import.meta.main && process.send) {
  process.once('message', (order) => {
    // Only `startDownloader` orders.
    void download(order as Order)
      .catch(String)
      .then((done) => process.send?.(done, () => process.disconnect()))
  })
  process.send('ready')
}
