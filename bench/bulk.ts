/** Compares a sealed plan over many rows with a hand-written UPDATE of the same rows, in paired turns. */

import { atMost, type Figure, median, percentile, reported, timed } from './measure.ts'
import { plansOver } from './bulk-plans.ts'
import { openScratch } from './scratch.ts'
import type { Site } from './site.ts'

const TABLE = 'bench_bulk'
const ROWS = 100_000
const ROUNDS = 9
const OWN = ['changes', 'change_images', 'change_keys', 'change_values', 'erasures', 'hooks']
const JOBS = ['jobs', 'job_migrations', 'ledger_migrations', 'writes']
const MB = 2 ** 20
/** More rows are written as jobs alone. */
const MOST_AT_ONCE = 100_000
/** Between two pages of somebody else, ms. */
const PAUSE_MS = 20

/**
 * Written at once, up to 100,000 rows, and as a job, with both images of each row beside the data; then taken back. `rows` and `rounds`:
 * the arguments after the address. Of one round, nothing is warmed up.
 */
export async function bulk(
  site: Pick<Site, 'database'>,
  rows = Number(process.argv[5] ?? ROWS),
  rounds = Number(process.argv[6] ?? ROUNDS),
): Promise<Figure[]> {
  const own = [...OWN, ...JOBS].map((name) => `tablewire_${name}`)
  const scratch = await openScratch(site, [TABLE, ...own], async (run) => {
    await run(
      `create table ${TABLE} (id integer primary key, n integer not null, note varchar(99))`,
    )
    for (let first = 1; first <= rows; first += 10_000) {
      const values = Array.from(
        { length: Math.min(10_000, rows + 1 - first) },
        (_, at) => `(${first + at}, 0, 'A short note.')`,
      )
      await run(`insert into ${TABLE} values ${values.join(', ')}`)
    }
  })
  const plans = await plansOver(scratch, TABLE, rows)
  const others = watchOthers(plans.page)
  const idle = await others.during(() => new Promise((resolve) => setTimeout(resolve, 3000)))
  const raw = (n: number) => scratch.run(`update ${TABLE} set n = ${n} where n < 1000000`)
  const isOnce = rows <= MOST_AT_ONCE
  const times = new Times()
  const pages: number[] = []
  const sealing: number[] = []
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round++) {
    if (round === 1) times.clear()
    let [handle, entry] = ['', '']
    await times.add('raw', () => raw(round * 10 + 1))
    if (isOnce) {
      const seal = () => times.add('seal', async () => (handle = await plans.seal(round * 10 + 2)))
      sealing.push(...(await others.during(seal)))
      const write = () => times.add('write', async () => (entry = await plans.write(handle)))
      const undo = () => times.add('undo', () => plans.undo(entry))
      pages.push(...(await others.during(write)), ...(await others.during(undo)))
    }
    await times.add('again', () => raw(round * 10 + 3))
    const sealJob = () =>
      times.add('sealJob', async () => (handle = await plans.sealJob(round * 10 + 4)))
    sealing.push(...(await others.during(sealJob)))
    const job = () => times.add('job', async () => (entry = await plans.writeByJob(handle)))
    const undoJob = () => times.add('undoJob', () => plans.undoByJob(entry))
    pages.push(...(await others.during(job)), ...(await others.during(undoJob)))
  }
  times.tell()
  await plans.close()
  await scratch.close()
  return [
    ...(isOnce
      ? [
          reported(
            `${rows} rows by a sealed plan, with its history ÷ UPDATE`,
            times.ratio('write'),
          ),
          reported('taking them back ÷ writing them', times.ratio('undo', 'write')),
        ]
      : []),
    reported(`${rows} rows as a job, with its history ÷ UPDATE`, times.ratio('job')),
    reported('taking them back as a job ÷ writing them as one', times.ratio('undoJob', 'job')),
    reported('sealing these rows ÷ UPDATE', times.ratio('sealJob')),
    reported('the UPDATE itself again', times.ratio('again')),
    reported(
      'p95 of a first page meanwhile ÷ idle',
      percentile(pages, 0.95) / percentile(idle, 0.95),
    ),
    reported(
      'p95 of a first page while a plan is sealed ÷ idle',
      percentile(sealing, 0.95) / percentile(idle, 0.95),
    ),
    atMost('memory above idle', others.memory() / MB, 150, ' MB', 0),
  ]
}

/** Durations by name, and the processor time of this process: in a file, all work is done by it. */
class Times {
  readonly #ms = new Map<string, number[]>()
  readonly #cpu = new Map<string, number[]>()

  async add(name: string, work: () => Promise<unknown>): Promise<void> {
    const before = process.cpuUsage()
    const [ms = 0] = await timed(1, work)
    const { user, system } = process.cpuUsage(before)
    this.#ms.set(name, [...(this.#ms.get(name) ?? []), ms])
    this.#cpu.set(name, [...(this.#cpu.get(name) ?? []), (user + system) / 1000])
  }

  clear(): void {
    this.#ms.clear()
    this.#cpu.clear()
  }

  /** The median of the paired turns. */
  ratio(name: string, to = 'raw', of = this.#ms): number {
    const others = of.get(to) ?? []
    return median((of.get(name) ?? []).map((ms, at) => ms / (others[at] ?? ms)))
  }

  tell(): void {
    for (const [what, of] of [
      ['ms', this.#ms],
      ['processor, ms', this.#cpu],
    ] as const) {
      const list = [...of].map(
        ([name, all]) =>
          `${name} ${median(all).toFixed(0)} (${this.ratio(name, 'raw', of).toFixed(2)})`,
      )
      console.log(`  ${what}, and ÷ raw: ${list.join(', ')}`)
    }
    const back = (name: string, to: string) => this.ratio(name, to, this.#cpu).toFixed(2)
    console.log(
      `  processor, undo ÷ write: ${back('undo', 'write')}, jobs ${back('undoJob', 'job')}`,
    )
  }
}

/** Somebody else who turns pages while there is work, and the memory of the process meanwhile. */
function watchOthers(page: () => Promise<void>) {
  const idle = process.memoryUsage().rss
  let most = idle
  return {
    async during(work: () => Promise<unknown>): Promise<number[]> {
      const taken: number[] = []
      let isDone = false
      const working = work().finally(() => (isDone = true))
      while (!isDone) {
        taken.push(...(await timed(1, page)))
        most = Math.max(most, process.memoryUsage().rss)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
      await working
      return taken
    },
    memory: () => most - idle,
  }
}
