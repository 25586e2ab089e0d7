/** Posts files as a form does, in a process of its own, so that the measured server's process does only its work. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { inspect } from 'node:util'
import { request } from 'node:http'
import { responseOf } from './response-of.ts'

/** Where to post a file of zeros, and how long it is. */
export type Parcel = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly part: string
  readonly bytes: number
}

const PIECE = Buffer.alloc(256 * 1024, 'x')
const BOUNDARY = 'a-boundary-that-no-file-holds'

/** Sends all at once; resolves with the milliseconds until the last was answered. */
export function sendFiles(parcels: readonly Parcel[]): Promise<number> {
  const child = fork(new URL(import.meta.url))
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.once('message', () => {
    child.once('message', (done) =>
      typeof done === 'number' ? resolve(done) : reject(new Error(`Not sent: ${inspect(done)}`)),
    )
    child.send(parcels)
  })
  return promise
}

async function send({ url, headers, part, bytes }: Parcel): Promise<void> {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${part}"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n`,
  )
  const foot = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const asked = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + bytes + foot.length,
    },
  })
  const answered = responseOf(asked)
  let isAnswered = false
  void answered.then(() => (isAnswered = true))
  const write = async (piece: Buffer) => {
    if (!asked.write(piece)) await Promise.race([once(asked, 'drain'), answered])
  }
  await write(head)
  // What is refused early is no longer read.
  for (let left = bytes; left > 0 && !isAnswered; left -= PIECE.length)
    await write(PIECE.subarray(0, left))
  asked.end(foot)
  const response = await answered
  response.resume()
  if (response.statusCode !== 200) throw new Error(`The server answered ${response.statusCode}.`)
}

if (import.meta.main && process.send) {
  process.once('message', (parcels) => {
    const started = performance.now()
    // Only `sendFiles` orders.
    void Promise.all((parcels as Parcel[]).map(send))
      .then(() => performance.now() - started, String)
      .then((done) => process.send?.(done, () => process.disconnect()))
  })
  process.send('ready')
}
