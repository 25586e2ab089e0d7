import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/cli/open-database.ts'
import { openLedger } from '../../src/database/ledger/open-ledger.ts'
import { describeMetadata, type MetadataPlace } from '../contracts/metadata-places.ts'
import { isPlain, KILLS, within } from '../tier.ts'
import { createJars, wrongJars } from './jars.ts'
import type { WritingOptions } from './writing-process.ts'

/** Changes that are made at once, which share a commit in SQLite. */
const TOGETHER = isPlain ? 1 : 2

const PROCESS = fileURLToPath(new URL('writing-process.ts', import.meta.url))

/** What a process prints before it is killed, or ends. */
const run = (options: WritingOptions): Promise<{ acknowledged: number[]; isKilled: boolean }> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [PROCESS, JSON.stringify(options)], (error, printed, failures) => {
      const isKilled = error?.signal === 'SIGKILL'
      if (error && !isKilled) return reject(new Error(failures))
      resolve({ acknowledged: printed.split('\n').filter(Boolean).map(Number), isKilled })
    })
  })

type Place = { readonly place: MetadataPlace; readonly isBeside: boolean }
type Lacks = WritingOptions['lacks']

/** Makes changes in processes that are killed at these steps, and says what is wrong afterwards. */
async function killAt(
  { place, isBeside }: Place,
  stepsOf: (all: readonly string[]) => readonly number[],
  lacks: Lacks = null,
) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tablewire-kills-'))
  onTestFinished(() => rmSync(dataFolder, { recursive: true }))
  const tried: number[] = []
  const acknowledged: number[] = []
  const make = async (dieAt: number | null, steps: string | null = null): Promise<boolean> => {
    const tokens = Array.from({ length: TOGETHER }, (_, at) => tried.length + at)
    tried.push(...tokens)
    const { address } = place
    const made = await run({ address, dataFolder, isBeside, tokens, dieAt, steps, lacks })
    acknowledged.push(...made.acknowledged)
    return made.isKilled
  }
  await createJars(place, (KILLS + 1) * TOGETHER)
  const trace = join(dataFolder, 'steps')
  await make(null, trace)
  const steps = stepsOf(readFileSync(trace, 'utf8').trim().split('\n'))
  let killed = 0
  for (const step of steps) if (await make(step)) killed++
  await sessionsEnded(place)
  const wrong = await judge({ place, isBeside }, dataFolder, { tokens: tried, acknowledged, lacks })
  return { wrong, killed }
}

/** The transactions of a killed process end when the server notices that it is gone. */
async function sessionsEnded({ engine, run }: MetadataPlace): Promise<void> {
  const others = {
    sqlite: 'select 0',
    postgres: `select count(*) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    mysql: `select count(*) from information_schema.processlist
      where db = database() and id <> connection_id()`,
  }[engine]
  await expect.poll(async () => Number((await run(others))[0]?.[0])).toBe(0)
}

/** Opens the ledger a while later, as the next process does. */
async function judge(
  { place, isBeside }: Place,
  dataFolder: string,
  made: { tokens: readonly number[]; acknowledged: readonly number[]; lacks: Lacks },
): Promise<string[]> {
  const source = await openDatabase(place.address)
  const now = () => (made.lacks === 'settling' ? 0 : Date.now() + 301_000)
  const ledger = await openLedger({
    ...{ source, dataFolder, now, newId: () => '', isBeside, keptDays: 90 },
    metadata: isBeside ? place.address : join(dataFolder, 'meta.sqlite'),
  })
  if (!ledger) throw new Error('The source keeps no entries.')
  try {
    return await wrongJars(place, ledger, made)
  } finally {
    await Promise.all([source.close(), ledger.close()])
  }
}

/** So many steps, evenly over all of them, and round again where there are more. */
const spread =
  (count: number) =>
  (all: readonly string[]): number[] =>
    Array.from({ length: count }, (_, at) =>
      count < all.length ? 1 + Math.floor((at * all.length) / count) : 1 + (at % all.length),
    )

// A plain run kills what writes to SQLite; greater ones kill what writes to servers, too.
const ENGINES = isPlain ? (['sqlite'] as const) : (['sqlite', 'postgres', 'mysql'] as const)

describeMetadata(
  'a killed process leaves each change with its entry, or neither, and none twice',
  (place) => {
    test.each([
      ['apart', false],
      ['beside the data', true],
    ])('where the history is %s', { timeout: within(60_000) }, async (_, isBeside) => {
      const kills = KILLS / (2 * ENGINES.length)
      const { wrong, killed } = await killAt({ place: place(), isBeside }, spread(kills))
      expect(wrong).toEqual([])
      // Where several changes are made at once, some runs have fewer steps.
      expect(killed).toBeGreaterThanOrEqual(kills * 0.8)
    })
  },
  ENGINES,
)

/** Just after the commit of the data: what comes first is its outcome, or an entry that is late. */
const AFTER_COMMIT = { settling: 'pragma synchronous = normal', order: 'savepoint entry' }

describeMetadata(
  'the proof by kill',
  (place) => {
    test.each<[lacks: keyof typeof AFTER_COMMIT, why: string]>([
      ['settling', 'is pending'],
      ['order', 'is kept 0 times'],
    ])('notices where %s is missing', async (lacks, why) => {
      const steps = (all: readonly string[]) => [1 + all.indexOf(AFTER_COMMIT[lacks])]
      const { wrong } = await killAt({ place: place(), isBeside: false }, steps, lacks)
      expect(wrong.join()).toContain(why)
    })
  },
  ['sqlite'],
)
