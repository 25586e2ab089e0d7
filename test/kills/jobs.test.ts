import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { describeMetadata } from '../contracts/metadata-places.ts'
import { REDIS } from '../contracts/servers.ts'
import { nightly } from '../nightly.ts'
import { isPlain, KILLED_ROWS, KILLS, within } from '../tier.ts'
import type { JobProcessOptions } from './job-process.ts'
import { type JobOptions, openJob, type Place } from './planned-job.ts'

type DieAt = JobProcessOptions['dieAt']

/** Kills processes at a step each, and has a last one finish the job. Returns how many were killed. */
async function killAll(
  { start }: Awaited<ReturnType<typeof openJob>>,
  dying: readonly DieAt[],
  more: Partial<JobProcessOptions> = {},
): Promise<number> {
  let killed = 0
  for (const dieAt of dying) {
    const { signal, printed } = await start({ ...more, dieAt }).ended
    if (signal === 'SIGKILL') killed++
    if (printed.includes('done')) return killed
  }
  await start(more).ended
  return killed
}

/** On a server, the node itself takes all steps, and more of them before the first that writes rows. */
const ON_SERVER = 89

/** Steps of both threads in turn, some early and some late; each number another one. */
const spread = (count: number, isFile: boolean, from: number): DieAt[] =>
  Array.from({ length: count }, (_, i) => {
    const at = from + i
    const of = isFile && at % 2 ? 'writer' : 'node'
    return { of, step: 5 + ((at * 7) % (of === 'writer' ? 41 : isFile ? 29 : ON_SERVER)) }
  })

/** A plain run kills over few rows; greater ones over many, in as many jobs as it takes. */
const ROWS: JobOptions = isPlain
  ? { rows: KILLED_ROWS, stepRows: Math.ceil(KILLED_ROWS / (2 * KILLS)) }
  : { rows: KILLED_ROWS }
const ENGINES = isPlain ? (['sqlite'] as const) : (['sqlite', 'postgres', 'mysql'] as const)
/** Of the kills of a job, one in so many is of the job that takes it back. */
const UNDONE = 5

const HISTORIES = [
  ['apart', false],
  ['beside the data', true],
] as const

/** Kills so many processes during jobs and during those that take them back, and says what is wrong. */
async function killMany(where: Place, kills: number) {
  const isFile = where.place.engine === 'sqlite'
  const wrong: string[] = []
  let [killed, tried] = [0, 0]
  while (tried < kills) {
    const job = await openJob(where, ROWS)
    const some = spread(Math.ceil(((kills - tried) * (UNDONE - 1)) / UNDONE), isFile, tried)
    killed += await killAll(job, some)
    wrong.push(...(await job.wrong()))
    const undo = await job.undo()
    const others = spread(Math.ceil((kills - tried) / UNDONE), isFile, tried + some.length)
    killed += await killAll(job, others, { job: undo })
    wrong.push(...(await job.wrongUndone(undo)))
    tried = isPlain ? kills : killed
  }
  return { killed, wrong }
}

describeMetadata(
  'a job whose process is killed',
  (place) => {
    test.each(HISTORIES)(
      'writes each row once, and is taken back whole, with the records %s',
      { timeout: within(60_000) * 6 },
      async (_, isBeside) => {
        const kills = KILLS / HISTORIES.length
        const { killed, wrong } = await killMany({ place: place(), isBeside }, kills)
        expect(wrong).toEqual([])
        expect(killed).toBeGreaterThanOrEqual(kills * 0.8)
      },
    )
  },
  ENGINES,
)

const SMALL: JobOptions = { rows: 6, stepRows: 2 }

/**
 * Stops a process just before it writes, lets another one finish the job, and wakes the first. It compares no rows, so
 * that nothing else protects those that are written.
 */
async function wakeAfter(where: Place, more: Partial<JobProcessOptions> = {}, asleepMs = 0) {
  const job = await openJob(where, SMALL)
  const sleeping = job.start({ isComparing: false, ...more, stopAt: 2 })
  await sleeping.stops
  const { lacks: _, ...other } = more
  await Promise.all([job.start(other).ended, after(asleepMs)])
  sleeping.child.kill('SIGCONT')
  return { printed: (await sleeping.ended).printed, wrong: await job.wrong() }
}

/** Leases as they are where nothing else is said, by one clock. */
const AS_USUAL = { leaseMs: 15_000, aheadMs: 0 }

describeMetadata(
  'a process that was stopped for longer than its lease',
  (place) => {
    test.each(HISTORIES)(
      'writes nothing once it is woken, with the records %s',
      async (_, isBeside) => {
        const { printed, wrong } = await wakeAfter({ place: place(), isBeside })
        expect(printed).toContain('refused')
        expect(wrong).toEqual([])
      },
    )
    nightly.lengthy.each(HISTORIES)(
      'writes nothing after a minute, with the records %s',
      { timeout: 600_000 },
      async (_, isBeside) => {
        const where = { place: place(), isBeside }
        const { printed, wrong } = await wakeAfter(where, AS_USUAL, 60_000)
        expect(printed).toContain('refused')
        expect(wrong).toEqual([])
      },
    )
  },
  ENGINES,
)

/** Just after the commit of a step, before the job's own record is saved. */
const AFTER_COMMIT = 'update "tablewire_jobs" set "checkpoint"'

describeMetadata(
  'the proof by kill and by sleep',
  (place) => {
    test('notices where a step is not saved with what it writes', async () => {
      const where = { place: place(), isBeside: true }
      const job = await openJob(where, SMALL)
      const unprotected = { lacks: 'fence', isComparing: false } as const
      await killAll(job, [{ of: 'node', step: AFTER_COMMIT }], unprotected)
      expect(await job.wrong()).not.toEqual([])
      const woken = await wakeAfter(where, { lacks: 'fence' })
      expect(woken.printed).toContain('written')
      expect(woken.wrong).not.toEqual([])
    })
  },
  ['sqlite'],
)

let queues = 0
const newQueue = () => ({
  ...{ url: REDIS.href, name: `tablewire-kills-${process.pid}-${Date.now()}-${++queues}` },
})

describeMetadata(
  'two nodes',
  (place) => {
    async function runTogether(isBeside: boolean, queue: JobProcessOptions['queue']) {
      const job = await openJob({ place: place(), isBeside }, { rows: 40, stepRows: 4 })
      const nodes = [1, 2].map(() => job.start({ ...AS_USUAL, queue }))
      const ended = await Promise.all(nodes.map((node) => node.ended))
      expect(ended.filter(({ printed }) => printed.includes('wrote'))).toHaveLength(1)
      expect(await job.wrong()).toEqual([])
    }
    test('run a job once, also where Redis tells both of it', () => runTogether(true, newQueue()))
    nightly.detail.each(HISTORIES)(
      'run a job once without Redis, with the records %s',
      (_, isBeside) => runTogether(isBeside, null),
    )

    nightly.lengthy.each(HISTORIES)(
      'take up the job of a node that was killed within 30 seconds, with the records %s',
      { timeout: 600_000 },
      async (_, isBeside) => {
        const job = await openJob({ place: place(), isBeside }, { rows: 20_000, stepRows: 5 })
        const dying = job.start(AS_USUAL)
        await expect.poll(dying.printed).toContain('wrote')
        const other = job.start(AS_USUAL)
        await expect.poll(other.printed).toContain('ready')
        dying.child.kill('SIGKILL')
        const killedAt = Date.now()
        await expect.poll(other.printed, { timeout: 60_000 }).toContain('wrote')
        expect(Date.now() - killedAt).toBeLessThan(30_000)
        await other.ended
        expect(await job.wrong()).toEqual([])
      },
    )
  },
  ENGINES,
)
