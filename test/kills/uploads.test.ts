/** What a process leaves of files that were on their way when it was killed: whole ones, or none. */

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { rowsIn } from '../data-file.ts'
import { type FakeS3, openFakeS3 } from '../s3/fake-s3.ts'
import { UPLOAD_KILLS, within } from '../tier.ts'
import { bytesFor, ROWS } from './uploaded.ts'
import type { UploadingOptions } from './uploading-process.ts'

const PROCESS = fileURLToPath(new URL('uploading-process.ts', import.meta.url))
const DAY_MS = 24 * 60 * 60_000

type Run = Partial<Omit<UploadingOptions, 'file' | 'dataFolder'>>

/** Kills of a process whose files are put into S3; all others are of one whose files are on disk. */
const S3_KILLS = UPLOAD_KILLS / 4

/** Where the files of a test are. */
type Place = {
  readonly s3: UploadingOptions['s3']
  /** What is stored below a folder, by its key. */
  stored(of: string): ReadonlyMap<string, Buffer>
}

const onDisk = (files: string): Place => ({
  s3: null,
  stored(of) {
    const at = join(files, of)
    if (!existsSync(at)) return new Map()
    const found = readdirSync(at, { recursive: true, withFileTypes: true })
    return new Map(
      found
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => [relative(files, path), readFileSync(path)]),
    )
  },
})

const PREFIX = 'tablewire/'

const inS3 = ({ bucket, endpoint, credentials, objects }: FakeS3): Place => ({
  s3: { bucket, endpoint, ...credentials },
  stored: (of) =>
    new Map(
      [...objects]
        .filter(([key]) => key.startsWith(`${PREFIX}${of}/`))
        .map(([key, { bytes }]) => [key.slice(PREFIX.length), bytes]),
    ),
})

function office(placeOf: (files: string) => Place = onDisk) {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-upload-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'strikes.sqlite')
  const database = new DatabaseSync(file)
  database.exec('create table strikes (id integer primary key, photo text)')
  for (const row of ROWS) database.prepare('insert into strikes values (?, null)').run(row)
  database.close()
  const { s3, stored } = placeOf(join(folder, 'data', 'files'))

  /** The rows that were saved before the process was killed, or ended. */
  const run = (asked: Run = {}): Promise<{ saved: number[]; isKilled: boolean }> => {
    const options: UploadingOptions = {
      ...{ file, dataFolder: join(folder, 'data'), aheadMs: 0, uploads: true },
      ...{ dieAt: null, steps: null, isLate: false, s3, ...asked },
    }
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [PROCESS, JSON.stringify(options)], (error, printed, failures) => {
        const isKilled = error?.signal === 'SIGKILL'
        if (error && !isKilled) return reject(new Error(failures))
        resolve({ saved: printed.split('\n').filter(Boolean).map(Number), isKilled })
      })
    })
  }

  /** The texts of all steps of a process that lives. */
  async function steps(asked: Run = {}): Promise<string[]> {
    const trace = join(folder, 'steps')
    await run({ ...asked, steps: trace })
    return readFileSync(trace, 'utf8').trim().split('\n')
  }

  const photos = () =>
    new Map(
      rowsIn(file, 'select id, photo from strikes').map(({ id, photo }) => [Number(id), photo]),
    )

  /** What is wrong with the rows and the files. */
  function wrong(saved: readonly number[]): string[] {
    const isWhole = (bytes: Buffer | undefined) =>
      ROWS.some((row) => bytes && bytesFor(row).equals(bytes))
    const [pending, kept] = [stored('pending'), stored('kept')]
    const inRows = [...photos()].flatMap(([row, photo]) => {
      const isLost = photo === null && saved.includes(row)
      if (isLost) return [`${row} was saved and has no file`]
      return photo === null || isWhole(kept.get(String(photo)))
        ? []
        : [`${row} refers to no whole file`]
    })
    const others = [...pending, ...kept].filter(([, bytes]) => !isWhole(bytes))
    return [...inRows, ...others.map(([key]) => `${key} is not whole`)]
  }

  return { run, steps, wrong, photos, stored }
}

type Office = ReturnType<typeof office>

/** Kills a process at so many of its steps, lets one live, and looks at what is left days later. */
async function killAndGoOn({ run, steps, wrong, photos, stored }: Office, kills: number) {
  const all = (await steps()).length
  for (const dieAt of spread(kills, all)) {
    const { saved } = await run({ dieAt })
    expect(wrong(saved), `killed before step ${dieAt}`).toEqual([])
  }
  const { saved } = await run()
  expect([saved, wrong(saved)]).toEqual([ROWS, []])
  // One sweep looks at fifty files.
  const isLeft = (sweeps: number) => sweeps <= kills / 25 && stored('kept').size > ROWS.length
  for (let sweeps = 0; sweeps === 0 || isLeft(sweeps); sweeps++)
    await run({ uploads: false, aheadMs: (3 + 8 * sweeps) * DAY_MS })
  expect([...stored('kept').keys()].toSorted()).toEqual(
    [...photos().values()].map(String).toSorted(),
  )
}

/** So many steps, evenly over all of them. */
const spread = (count: number, all: number): number[] =>
  Array.from({ length: count }, (_, at) => 1 + Math.floor((at * all) / count))

test(
  'a killed process leaves no half file and no row without its file, and what it began can be done again',
  {
    timeout: within(240_000),
  },
  async () => {
    const begun = office()
    await killAndGoOn(begun, UPLOAD_KILLS - S3_KILLS)
    const { stored } = begun
    expect(['pending', 'arriving', 'transfers'].flatMap((of) => [...stored(of).keys()])).toEqual([])
  },
)

test(
  'so does one whose pages put files into S3, whenever in the PUT, the finish or the save it is killed',
  {
    timeout: within(120_000),
  },
  async () => {
    const s3 = await openFakeS3()
    onTestFinished(() => s3.close())
    s3.cors = [{ origins: ['*'], methods: ['PUT'], headers: ['content-type'] }]
    const begun = office(() => inS3(s3))
    await killAndGoOn(begun, S3_KILLS)
    const { stored } = begun
    expect(['pending', 'direct'].flatMap((of) => [...stored(of).keys()])).toEqual([])
  },
)

test(
  'the proof by kill notices where a file is kept after its row is saved',
  {
    timeout: within(120_000),
  },
  async () => {
    const { run, steps, wrong } = office()
    const all = await steps({ isLate: true })
    const kept = all.findIndex((step) => /^rename .*kept/.test(step))
    const answer = all.findIndex((step, at) => at > kept && step.startsWith('HTTP/1.1'))
    expect(kept).toBeGreaterThan(0)
    const { isKilled } = await run({ isLate: true, dieAt: answer + 1 })
    expect(isKilled).toBe(true)
    expect(wrong([]).join()).toContain('refers to no whole file')
  },
)
