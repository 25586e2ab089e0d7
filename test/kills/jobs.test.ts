import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { describeMetadata, type MetadataPlace } from '../contracts/metadata-places.ts'
import { isPlain, KILLS, within } from '../tier.ts'
import type { JobProcessOptions } from './job-process.ts'

const PROCESS = fileURLToPath(new URL('job-process.ts', import.meta.url))
/** So far is the clock of each process ahead of the one before: its lease has ended. */
const AHEAD_MS = 60_000

type Started = {
  readonly child: ChildProcess
  /** Settles once it is about to stop. */
  readonly stops: Promise<void>
  /** Settles once it has ended, with what it printed and by which signal it ended. */
  readonly ended: Promise<{ readonly printed: string; readonly signal: string | null }>
}

function start(options: JobProcessOptions): Started {
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(options)])
  let [printed, failures] = ['', '']
  const stops = Promise.withResolvers<void>()
  child.stdout.on('data', (data) => {
    printed += String(data)
    if (printed.includes('stops')) stops.resolve()
  })
  child.stderr.on('data', (data) => (failures += String(data)))
  const ended = once(child, 'close').then(([code, signal]) => {
    if (code !== 0 && signal === null) throw new Error(failures)
    return { printed, signal: signal as string | null }
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, stops: stops.promise, ended }
}

type Place = { readonly place: MetadataPlace; readonly isBeside: boolean }

/** A job over rows that are counted up once each, on a database of its own. */
async function openJob({ place, isBeside }: Place, rows: number) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tablewire-jobs-'))
  onTestFinished(() => rmSync(dataFolder, { recursive: true }))
  for (const table of ['crates', 'tablewire_jobs', 'tablewire_job_migrations'])
    await place.run(`drop table if exists ${table}`)
  await place.run('create table crates (id integer primary key, n integer)')
  const values = Array.from({ length: rows }, (_, id) => `(${id}, 0)`)
  await place.run(`insert into crates values ${values.join()}`)
  let started = 0
  return {
    start: (more: Partial<JobProcessOptions> = {}): Started =>
      start({
        ...{ address: place.address, dataFolder, isBeside, rows, stopAt: null, lacks: null },
        ...{ aheadMs: started++ * AHEAD_MS, dieAt: null, ...more },
      }),
    async counts(): Promise<number[]> {
      return (await place.run('select n from crates order by id')).map(([n]) => Number(n))
    },
  }
}

/** Kills processes at a step each, and lets a last one finish the job. */
async function killAll(
  where: Place,
  dying: readonly JobProcessOptions['dieAt'][],
  lacks: JobProcessOptions['lacks'] = null,
): Promise<{ counts: number[]; killed: number }> {
  const job = await openJob(where, dying.length * 4)
  let killed = 0
  for (const dieAt of dying)
    if ((await job.start({ dieAt, lacks }).ended).signal === 'SIGKILL') killed++
  await job.start({ lacks }).ended
  return { counts: await job.counts(), killed }
}

/** Steps of both threads in turn, some early and some late. */
const spread = (count: number, isFile: boolean): JobProcessOptions['dieAt'][] =>
  Array.from({ length: count }, (_, at) => {
    const of = isFile && at % 2 ? 'writer' : 'node'
    return { of, step: 5 + ((at * 7) % (of === 'writer' ? 41 : 29)) }
  })

const ENGINES = isPlain ? (['sqlite'] as const) : (['sqlite', 'postgres', 'mysql'] as const)

describeMetadata(
  'a job whose process is killed',
  (place) => {
    test.each([
      ['apart', false],
      ['beside the data', true],
    ])(
      'does each step once, with the records %s',
      { timeout: within(60_000) },
      async (_, isBeside) => {
        const kills = spread(KILLS / (2 * ENGINES.length), place().engine === 'sqlite')
        const { counts, killed } = await killAll({ place: place(), isBeside }, kills)
        expect(counts).toEqual(counts.map(() => 1))
        expect(killed).toBeGreaterThanOrEqual(kills.length * 0.8)
      },
    )
  },
  ENGINES,
)

/** Stops a process just before it writes, lets another one finish the job, and wakes the first. */
async function wakeAfter(where: Place, lacks: JobProcessOptions['lacks'] = null) {
  const job = await openJob(where, 3)
  const sleeping = job.start({ stopAt: 1, lacks })
  await sleeping.stops
  await job.start().ended
  sleeping.child.kill('SIGCONT')
  return { printed: (await sleeping.ended).printed, counts: await job.counts() }
}

describeMetadata(
  'a process that was stopped for longer than its lease',
  (place) => {
    test.each([
      ['apart', false],
      ['beside the data', true],
    ])('writes nothing once it is woken, with the records %s', async (_, isBeside) => {
      const { printed, counts } = await wakeAfter({ place: place(), isBeside })
      expect(printed).toContain('refused')
      expect(counts).toEqual([1, 1, 1])
    })
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
      const killed = await killAll(where, [{ of: 'node', step: AFTER_COMMIT }], 'fence')
      expect(killed.counts).toContain(2)
      const woken = await wakeAfter(where, 'fence')
      expect(woken.printed).toContain('written')
      expect(woken.counts).toContain(2)
    })
  },
  ['sqlite'],
)
