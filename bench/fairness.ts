/** Measures what one person's many searches cost another person. */

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { atMost, type Figure, median, reported, timed } from './measure.ts'
import type { Site } from './site.ts'

/** Searches that the one person keeps running. */
const PARALLEL = 80
/** Quiet and busy turns alternate, since a machine's speed drifts. */
const TURNS = 9
const SEARCHES = 5

type Flood = {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
}

export async function fairness(site: Site): Promise<Figure[]> {
  const search = () => site.page(addressOf('zzqqzz'))
  const crowd = crowdOf(site.origin, await site.enter('Crowd'))
  const times = { idle: [] as number[], busy: [] as number[], ratios: [] as number[] }
  await search()
  for (let turn = 0; turn < TURNS; turn++) {
    const idle = await timed(SEARCHES, search)
    await crowd.tell('start')
    const busy = await timed(SEARCHES, search)
    await crowd.tell('stop')
    times.idle.push(...idle)
    times.busy.push(...busy)
    times.ratios.push(median(busy) / median(idle))
  }
  const answers = await crowd.close()
  const [idle, busy, longest] = [median(times.idle), median(times.busy), Math.max(...times.busy)]
  console.log(
    `  search while idle ${idle.toFixed(0)} ms, while another person searches ${PARALLEL} times at once ${busy.toFixed(0)} ms, at most ${longest.toFixed(0)} ms; theirs: ${JSON.stringify(answers)}; turns: ${times.ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`,
  )
  return [
    atMost('search while another person searches 80 times at once ÷ idle', median(times.ratios), 3),
    reported('the longest such search ÷ idle', longest / idle),
  ]
}

const addressOf = (text: string): string => `/tables/orders?search=${text}`

/** A thread that searches; `tell` resolves once the first searches are answered, or none are left. */
function crowdOf(origin: string, headers: Flood['headers']) {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { origin, headers } satisfies Flood,
  })
  let answers: Record<string, number> = {}
  return {
    async tell(what: 'start' | 'stop'): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<Record<string, number>>()
      worker.once('message', resolve)
      worker.postMessage(what)
      answers = await promise
    },
    async close(): Promise<Record<string, number>> {
      await worker.terminate()
      return answers
    },
  }
}

/** Runs in the thread: each search is for another word, and counts by the status of its answer. */
function flood({ origin, headers }: Flood): void {
  const answers: Record<string, number> = {}
  let word = 0
  let running: { readonly stop: AbortController; readonly all: Promise<unknown> } | undefined

  async function searching(signal: AbortSignal, answered: () => void): Promise<void> {
    while (!signal.aborted) {
      const response = await fetch(origin + addressOf(`zzqqzz${word++}`), {
        headers: { ...headers, 'x-tablewire-navigate': '1' },
        signal,
      })
      await response.arrayBuffer()
      answers[response.status] = (answers[response.status] ?? 0) + 1
      answered()
      const wait = Number(response.headers.get('retry-after') ?? 0)
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    }
  }

  async function start(): Promise<void> {
    const stop = new AbortController()
    const first = Promise.withResolvers<void>()
    const all = Array.from({ length: PARALLEL }, () =>
      searching(stop.signal, first.resolve).catch(() => undefined),
    )
    running = { stop, all: Promise.all(all) }
    await first.promise
  }

  parentPort?.on('message', (what: 'start' | 'stop') => void follow(what))

  async function follow(what: 'start' | 'stop'): Promise<void> {
    if (what === 'start') await start()
    if (what === 'stop') {
      running?.stop.abort()
      await running?.all
    }
    parentPort?.postMessage(answers)
  }
}

if (!isMainThread) flood(workerData as Flood)
