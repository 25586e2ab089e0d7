/** Live lists: how soon a change is on other screens, what it reads, and how soon clients are back after a kill. */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LiveHostAnswer } from './live-host.ts'
import { type Refusals, Viewer } from './live-viewer.ts'
import { atMost, type Figure, percentile, reported } from './measure.ts'

const VIEWERS = 200
const SORTS = ['position', '-position', 'title', '-title', 'id', '-id', '-position,title']
const VIEWS = SORTS.flatMap((sort) =>
  [25, 50, 100].map((size) => `sort=${sort}&size=${size}`),
).slice(0, 20)
const CHANGES = 30
/** Between two changes, so that each is a change of its own, ms. */
const PAUSE_MS = 700
const CLIENTS = 2000
/** People who have several tabs open. */
const TABS = 10
const AT_ONCE = 50

export async function live(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-live-'))
  const file = join(folder, 'tasks.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = wal;
    create table tasks (id integer primary key, title text, position integer);
    with recursive n(id) as (select 1 union all select id + 1 from n where id < 500)
      insert into tasks select id, 'Task ' || id, id from n`)
  database.close()
  const host = await Host.start(file, folder, 0)
  try {
    return [...(await changes(host)), ...(await kill(host))]
  } finally {
    host.stop()
    await rm(folder, { recursive: true })
  }
}

/** The server, in a process of its own. */
class Host {
  #process: ChildProcess
  readonly #arguments: readonly string[]
  port = 0

  private constructor(...given: readonly string[]) {
    this.#arguments = given
    this.#process = this.#fork('0')
  }

  static async start(file: string, folder: string, port: number): Promise<Host> {
    const host = new Host(file, join(folder, 'data'))
    host.port = (await host.#answer()).port ?? port
    return host
  }

  #fork(port: string): ChildProcess {
    return fork(join(import.meta.dirname, 'live-host.ts'), [...this.#arguments, port])
  }

  async #answer(): Promise<LiveHostAnswer> {
    // The other end sends nothing else.
    const [answer] = (await once(this.#process, 'message')) as [LiveHostAnswer]
    return answer
  }

  async ask(): Promise<LiveHostAnswer> {
    this.#process.send('tell')
    return this.#answer()
  }

  /** As when the machine loses it: nothing is closed. Then starts it again at the same port. */
  async kill(): Promise<void> {
    const over = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await over
    this.#process = this.#fork(String(this.port))
    await this.#answer()
  }

  stop(): void {
    this.#process.kill('SIGKILL')
  }
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  for (let at = 0; at < items.length; at += AT_ONCE)
    await Promise.all(items.slice(at, at + AT_ONCE).map(work))
}

async function changes(host: Host): Promise<Figure[]> {
  const origin = `http://127.0.0.1:${host.port}`
  const refusals: Refusals = new Map()
  const viewers = Array.from({ length: VIEWERS }, (_, at) => {
    const path = `/tables/tasks?${VIEWS[at % VIEWS.length]}`
    return new Viewer(origin, path, `person ${at % (VIEWERS / 2)}`, refusals)
  })
  const writer = new Viewer(origin, '/tables/tasks?sort=position', 'writer', refusals)
  await inTurns([...viewers, writer], (viewer) => viewer.open())
  await writer.call('enableReordering', [])
  const before = await host.ask()
  await writer.call('storeReorder', [[{ id: '30', position: 1 }]])
  // What the change itself reads, while nobody watches.
  const own = (await host.ask()).reads - before.reads
  await inTurns(viewers, (viewer) => viewer.join())
  const delays: number[] = []
  const reads: number[] = []
  let cpu = { host: 0, clients: 0 }
  for (let round = -2; round < CHANGES; round++) {
    const before = await host.ask()
    const spent = process.cpuUsage()
    const seen = viewers.map((viewer) => new Promise<number>((resolve) => {
      viewer.seen = () => resolve(performance.now())
    })) // prettier-ignore
    const started = performance.now()
    await writer.call('storeReorder', [[{ id: String(20 + round), position: 1 }]])
    const times = (await Promise.all(seen)).map((at) => at - started)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const after = await host.ask()
    const { user, system } = process.cpuUsage(spent)
    // The first rounds warm up.
    if (round < 0) continue
    delays.push(...times)
    reads.push(after.reads - before.reads - own)
    cpu = {
      host: cpu.host + after.cpu - before.cpu,
      clients: cpu.clients + (user + system) / 1000,
    }
  }
  for (const viewer of viewers) viewer.close()
  const views = VIEWS.length
  return [
    atMost(
      `p95 until ${VIEWERS} viewers of ${views} views have a change, from its request`,
      percentile(delays, 0.95),
      300,
      ' ms',
      0,
    ),
    reported('the median of them, ms', percentile(delays, 0.5)),
    atMost(
      'reads of pages for the viewers of a change, the most',
      Math.max(...reads),
      views,
      '',
      0,
    ),
    reported('share of the CPU time that the viewers took', cpu.clients / (cpu.clients + cpu.host)),
    atMost(
      'refusals',
      [...refusals.values()].reduce((sum, n) => sum + n, 0),
      0,
      '',
      0,
    ),
  ]
}

async function kill(host: Host): Promise<Figure[]> {
  const refusals: Refusals = new Map()
  const clients = Array.from(
    { length: CLIENTS },
    (_, at) =>
      new Viewer(
        `http://127.0.0.1:${host.port}`,
        '/tables/tasks',
        `client ${Math.floor(at / TABS)}`,
        refusals,
      ),
  )
  await inTurns(clients, (client) => client.open())
  await inTurns(clients, (client) => client.join())
  const back = clients.map(async (client) => {
    await client.lost()
    await client.join()
    return performance.now()
  })
  const started = performance.now()
  await host.kill()
  const listening = performance.now()
  const last = Math.max(...(await Promise.all(back)))
  for (const client of clients) client.close()
  const others = [...refusals]
    .filter(([status]) => status !== 503)
    .reduce((sum, [, n]) => sum + n, 0)
  return [
    atMost(
      `${CLIENTS} clients are back after a kill, authorized`,
      (last - started) / 1000,
      20,
      ' s',
      1,
    ),
    reported('of that, until the server listens again, s', (listening - started) / 1000),
    atMost('errors but 503 meanwhile', others, 0, '', 0),
  ]
}
