/**
 * Sends requests for a while and counts the answers, from a thread of its own, so that the measured
 * server's thread does only the server's work. Each request costs as little as possible, because on a
 * shared core the sender's time would count as the server's.
 */

import { connect, type Socket } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** Where to post; the bodies are sent in rotation. */
export type Target = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodies: readonly string[]
}

export type Sender = {
  /** Requests answered in a second, over this many connections. Throws if one is refused. */
  rate(name: string, ms: number, connections: number): Promise<number>
  close(): Promise<unknown>
}

type Order = { readonly name: string; readonly ms: number; readonly connections: number }

/** Starts the thread that sends. */
export function startSender(targets: Readonly<Record<string, Target>>): Sender {
  const worker = new Worker(new URL(import.meta.url), { workerData: targets })
  return {
    rate(name, ms, connections) {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      worker.once('message', (answer: number | string) =>
        typeof answer === 'number' ? resolve(answer) : reject(new Error(`${name}: ${answer}`)),
      )
      worker.postMessage({ name, ms, connections } satisfies Order)
      return promise
    },
    close: () => worker.terminate(),
  }
}

const HEAD_END = '\r\n\r\n'

/** The bytes of each request, prepared once. */
function requestsOf({ url, headers, bodies }: Target): Buffer[] {
  const { host, pathname } = new URL(url)
  const lines = Object.entries({ host, 'content-type': 'application/json', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return bodies.map((body) =>
    Buffer.from(
      `POST ${pathname} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
    ),
  )
}

/** A connection that sends one request after the other. */
class Connection {
  readonly #socket: Socket
  #left = 0
  #settle: { resolve(): void; reject(error: Error): void } | undefined

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#socket = connect(Number(port), hostname).setNoDelay(true)
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#settle?.reject(error))
  }

  send(request: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#settle = { resolve, reject }
    this.#socket.write(request)
    return promise
  }

  /** Assumes the head in the first chunk: it is short, and sent together with the body. */
  #take(chunk: Buffer): void {
    if (this.#left === 0) {
      const end = chunk.indexOf(HEAD_END)
      const head = chunk.toString('latin1', 0, end)
      if (!head.startsWith('HTTP/1.1 200')) this.#settle?.reject(new Error(head.split('\r\n')[0]))
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
      this.#left = length + end + HEAD_END.length
    }
    this.#left -= chunk.length
    if (this.#left === 0) this.#settle?.resolve()
  }
}

/** Runs in the thread. */
function serve(port: NonNullable<typeof parentPort>, targets: Readonly<Record<string, Target>>) {
  const requests = new Map(
    Object.entries(targets).map(([name, target]) => [name, requestsOf(target)]),
  )
  const open = new Map<string, Connection[]>()
  let next = 0

  async function rate({ name, ms, connections }: Order): Promise<number> {
    const list = requests.get(name)!
    const { url } = targets[name]!
    const known = open.get(name) ?? Array.from({ length: connections }, () => new Connection(url))
    open.set(name, known)
    let answered = 0
    const start = performance.now()
    const go = async (connection: Connection): Promise<void> => {
      while (performance.now() - start < ms) {
        await connection.send(list[next++ % list.length]!)
        answered += 1
      }
    }
    await Promise.all(known.map(go))
    return (answered / (performance.now() - start)) * 1000
  }

  port.on('message', (order: Order) => {
    void rate(order).then(
      (result) => port.postMessage(result),
      (error: unknown) => port.postMessage(String(error)),
    )
  })
}

if (!isMainThread && parentPort) {
  serve(parentPort, workerData as Readonly<Record<string, Target>>)
}
