/** The realtime server beside a bare loop of `ws`: broadcasts, memory of idle sockets, and delays. */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atMost, type Figure, median, percentile, reported } from './measure.ts'
import type { ClientsAnswer, ClientsCommand } from './realtime-clients.ts'
import type { HostAnswer, HostCommand } from './realtime-host.ts'

const SOCKETS = 10_000
const IDLE = 5000
const PRIVATE = 2000
const ROUNDS = 25
/** Five broadcasts a second to 2,000 sockets are 10,000 deliveries a second. */
const EVERY_MS = 200
const BROADCASTS = 100

export async function realtime(): Promise<Figure[]> {
  return [...(await broadcasts()), ...(await idle()), ...(await delays())]
}

/** A server and its clients, each in a process of its own. */
class Setting {
  readonly #host: ChildProcess
  readonly #clients: ChildProcess
  #id = 0
  hostCpu = 0
  clientsCpu = 0

  private constructor(kind: 'tablewire' | 'bare') {
    const path = (name: string) => join(import.meta.dirname, `${name}.ts`)
    this.#host = fork(path('realtime-host'), [kind], { execArgv: ['--expose-gc'] })
    this.#clients = fork(path('realtime-clients'))
  }

  static async open(
    kind: 'tablewire' | 'bare',
    count: number,
  ): Promise<Setting & { port: number }> {
    const setting = new Setting(kind)
    const { port = 0 } = await setting.#answerOfHost()
    await setting.connect(port, count)
    return Object.assign(setting, { port })
  }

  async connect(port: number, count: number): Promise<void> {
    if (count === 0) return
    this.#tellClients({ kind: 'connect', port, count })
    await this.#answerOfClients()
  }

  async memory(): Promise<number> {
    this.#tellHost({ kind: 'memory' })
    return (await this.#answerOfHost()).memory ?? 0
  }

  /** Ms until samples of the sockets had received an event, the last last, and ms of the call itself. */
  async publish(): Promise<{ delays: number[]; took: number }> {
    const id = ++this.#id
    this.#tellHost({ kind: 'publish', id })
    const { began = '0', took = 0 } = await this.#answerOfHost()
    const answer = this.#answerOfClients()
    this.#tellClients({ kind: 'begun', id, began })
    return { delays: ((await answer).ns ?? []).map((ns) => ns / 1e6), took }
  }

  stop(): void {
    this.#tellHost({ kind: 'stop' })
    this.#tellClients({ kind: 'stop' })
  }

  #tellHost = (command: HostCommand) => void this.#host.send(command)
  #tellClients = (command: ClientsCommand) => void this.#clients.send(command)

  async #answerOfHost(): Promise<HostAnswer> {
    // The other end sends nothing else.
    const [answer] = (await once(this.#host, 'message')) as [HostAnswer]
    this.hostCpu = answer.cpu
    return answer
  }

  async #answerOfClients(): Promise<ClientsAnswer> {
    // The other end sends nothing else.
    const [answer] = (await once(this.#clients, 'message')) as [ClientsAnswer]
    this.clientsCpu = answer.cpu
    return answer
  }
}

/** Rounds in turns, each until the last socket has heard. */
async function broadcasts(): Promise<Figure[]> {
  const ours = await Setting.open('tablewire', SOCKETS)
  const bare = await Setting.open('bare', SOCKETS)
  const times = {
    ours: [] as number[],
    bare: [] as number[],
    oursCall: [] as number[],
    bareCall: [] as number[],
  }
  for (let round = -3; round < ROUNDS; round++) {
    const [one, other] = [await ours.publish(), await bare.publish()]
    // The first rounds warm up.
    if (round < 0) continue
    times.ours.push(one.delays.at(-1) ?? Number.NaN)
    times.bare.push(other.delays.at(-1) ?? Number.NaN)
    times.oursCall.push(one.took)
    times.bareCall.push(other.took)
  }
  const share = ours.clientsCpu / (ours.clientsCpu + ours.hostCpu)
  ours.stop()
  bare.stop()
  return [
    atMost(
      `broadcast to ${SOCKETS} sockets until the last has it ÷ bare ws loop`,
      median(times.ours) / median(times.bare),
      1.3,
    ),
    reported('the same of the bare loop, ms', median(times.bare)),
    reported(
      'the call alone ÷ the bare loop alone',
      median(times.oursCall) / median(times.bareCall),
    ),
    reported('share of the CPU time that the clients took', share),
  ]
}

async function idle(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const kind of ['tablewire', 'bare'] as const) {
    const setting = await Setting.open(kind, 0)
    // Whatever is compiled and kept once is not a socket's.
    await setting.connect(setting.port, 200)
    const before = await settled(setting)
    await setting.connect(setting.port, IDLE)
    const each = ((await settled(setting)) - before) / 1000 / IDLE
    setting.stop()
    figures.push(
      kind === 'bare'
        ? reported('the same of bare ws, kB', each)
        : atMost(
            `resident memory of each of ${IDLE} idle sockets on a private channel`,
            each,
            20,
            ' kB',
          ),
    )
  }
  return figures
}

const REST_MS = 2000

/** Memory once buffers of the connecting are given back. */
async function settled(setting: Setting): Promise<number> {
  await setting.memory()
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  return setting.memory()
}

async function delays(): Promise<Figure[]> {
  const setting = await Setting.open('tablewire', PRIVATE)
  for (let round = 0; round < 3; round++) await setting.publish()
  const [hostBefore, clientsBefore] = [setting.hostCpu, setting.clientsCpu]
  const started = performance.now()
  const all: number[] = []
  for (let round = 1; round <= BROADCASTS; round++) {
    all.push(...(await setting.publish()).delays)
    // Which the next one waits for whatever this one took.
    const wait = started + round * EVERY_MS - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  }
  const seconds = (performance.now() - started) / 1000
  const [host, clients] = [setting.hostCpu - hostBefore, setting.clientsCpu - clientsBefore]
  setting.stop()
  return [
    atMost(`p95 of deliveries to ${PRIVATE} private sockets`, percentile(all, 0.95), 150, ' ms', 1),
    reported('p99 of them, ms', percentile(all, 0.99)),
    reported('deliveries a second', (PRIVATE * BROADCASTS) / seconds),
    reported('share of a core that the server took', host / 1000 / seconds),
    reported('share of a core that the clients took', clients / 1000 / seconds),
  ]
}
