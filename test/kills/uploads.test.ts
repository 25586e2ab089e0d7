/** What a process leaves of files that were on their way when it was killed: whole ones, or none. */

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { rowsIn } from '../data-file.ts'
import { KILLS, within } from '../tier.ts'
import { bytesFor, ROWS } from './uploaded.ts'
import type { UploadingOptions } from './uploading-process.ts'

const PROCESS = fileURLToPath(new URL('uploading-process.ts', import.meta.url))
const DAY_MS = 24 * 60 * 60_000

type Run = Partial<Omit<UploadingOptions, 'file' | 'dataFolder'>>

function office() {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-upload-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'strikes.sqlite')
  const database = new DatabaseSync(file)
  database.exec('create table strikes (id integer primary key, photo text)')
  for (const row of ROWS) database.prepare('insert into strikes values (?, null)').run(row)
  database.close()
  const files = join(folder, 'data', 'files')

  /** The rows that were saved before the process was killed, or ended. */
  const run = (asked: Run = {}): Promise<{ saved: number[]; isKilled: boolean }> => {
    const options: UploadingOptions = {
      ...{ file, dataFolder: join(folder, 'data'), aheadMs: 0, uploads: true },
      ...{ dieAt: null, steps: null, isLate: false, ...asked },
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

  const stored = (of: string): string[] => {
    const at = join(files, of)
    if (!existsSync(at)) return []
    return readdirSync(at, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  }

  /** What is wrong with the rows and the files. */
  function wrong(saved: readonly number[]): string[] {
    const isWhole = (path: string) =>
      ROWS.some((row) => existsSync(path) && bytesFor(row).equals(readFileSync(path)))
    const inRows = [...photos()].flatMap(([row, photo]) => {
      const isLost = photo === null && saved.includes(row)
      if (isLost) return [`${row} was saved and has no file`]
      return photo === null || isWhole(join(files, String(photo)))
        ? []
        : [`${row} refers to no whole file`]
    })
    const others = [...stored('pending'), ...stored('kept')].filter((path) => !isWhole(path))
    return [...inRows, ...others.map((path) => `${path} is not whole`)]
  }

  return { run, steps, wrong, photos, stored, files }
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
    const { run, steps, wrong, photos, stored, files } = office()
    const all = (await steps()).length
    for (const dieAt of spread(KILLS, all)) {
      const { saved } = await run({ dieAt })
      expect(wrong(saved), `killed before step ${dieAt}`).toEqual([])
    }
    const { saved } = await run()
    expect([saved, wrong(saved)]).toEqual([ROWS, []])
    // Days later nothing is left but what the rows refer to; one sweep looks at fifty files.
    const referred = () =>
      [...photos().values()].map((photo) => join(files, String(photo))).toSorted()
    for (let sweeps = 0; sweeps <= KILLS / 25 && stored('kept').length > ROWS.length; sweeps++)
      await run({ uploads: false, aheadMs: (3 + 8 * sweeps) * DAY_MS })
    expect(stored('kept').toSorted()).toEqual(referred())
    expect(['pending', 'arriving', 'transfers'].flatMap(stored)).toEqual([])
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
