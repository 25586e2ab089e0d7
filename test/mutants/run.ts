/**
 * Breaks one line in each of 40 places of `src`, and sees whether the tests that import it notice.
 * `node test/mutants/run.ts 11 20` tries the places 11 to 20 alone, to go on with a run that was ended.
 */

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Break, breaksOf, choose } from './places.ts'

const SEED = 20_260_917
const PLACES = 40
/** How many of them the tests have to notice. */
const NOTICED = 38
/** After this long without an answer the tests have noticed: they wait for what does not come. */
const PATIENCE_MS = 20 * 60_000
const PROJECTS = ['unit', 'engines', 'hostile'].flatMap((name) => ['--project', name])
const ROOT = join(import.meta.dirname, '../..')
const VITEST = join(ROOT, 'node_modules/.bin/vitest')

/** Breaks that change nothing a test could notice, with the reason; others take their places. */
const WITHOUT_EFFECT: readonly {
  readonly path: string
  /** The line as it is written, and what of it is broken. */
  readonly line: string
  readonly was: string
  readonly reason: string
}[] = [
  {
    path: 'src/database/sqlite/write-worker.ts',
    line: 'isCareful: true,',
    was: 'true',
    reason: 'SQLite needs no savepoints, so it does not matter whether a run would set them.',
  },
]

/** A copy of the project, so that nothing is left broken. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-mutants-'))
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|\.git|\.tablewire)$/.test(path),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const hasEffect = ({ path, was, written }: Break): boolean =>
  !WITHOUT_EFFECT.some((one) => one.path === path && one.line === written && one.was === was)

function allBreaks(folder: string): Break[] {
  const paths = globSync('src/**/*.{ts,tsx}', { cwd: folder })
    .filter((path) => !/\.test\.tsx?$|^src\/(?:messages|exports)\//.test(path))
    .toSorted()
  return paths.flatMap((path) => breaksOf(path, readFileSync(join(folder, path), 'utf8')))
}

type Report = {
  readonly success: boolean
  readonly testResults: readonly {
    readonly status: string
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** What has failed first in a run of tests in the copy; `null` if all passed. */
function failureOf(folder: string, ...args: readonly string[]): string | null {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const all = [...args, '--bail', '1', '--reporter', 'json', '--outputFile', report]
  const env = { ...process.env, TABLEWIRE_TIER: 'plain' }
  const { status } = spawnSync(VITEST, all, { cwd: folder, env, timeout: PATIENCE_MS })
  if (status === 0) return null
  if (!existsSync(report)) return 'no end'
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failed = testResults.find((file) => file.status === 'failed')
  const test = failed?.assertionResults.find((one) => one.status === 'failed')
  return test?.fullName ?? failed?.name ?? 'no test'
}

const build = (folder: string): number | null =>
  spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: folder }).status

/**
 * What notices that the file is broken: a test beside it, which is tried first since it mostly does, else
 * one that imports it, or one in a browser that loads it.
 */
function noticedBy(folder: string, { path, start, end, is }: Break): string | null {
  const file = join(folder, path)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.slice(0, start) + is + text.slice(end))
  const isOfBrowser = /^src\/(?:client|react|ui)\//.test(path)
  let noticed =
    failureOf(folder, 'run', `${dirname(path)}/`, '--passWithNoTests', ...PROJECTS) ??
    failureOf(folder, 'related', path, '--run', '--passWithNoTests', ...PROJECTS)
  if (noticed === null && isOfBrowser)
    noticed = build(folder) === 0 ? failureOf(folder, 'run', '--project', 'browser') : 'the build'
  writeFileSync(file, text)
  if (isOfBrowser) build(folder)
  return noticed
}

const [from = 1, to = PLACES] = process.argv.slice(2).map(Number)
const folder = copyProject()
try {
  const chosen = choose(allBreaks(folder), SEED, PLACES, hasEffect).slice(from - 1, to)
  let noticed = 0
  for (const [at, one] of chosen.entries()) {
    const by = noticedBy(folder, one)
    if (by !== null) noticed++
    const { path, line, was, is } = one
    const result = by === null ? 'NOT NOTICED' : `by ${by}`
    console.log(`${from + at}. ${path}:${line}  ${was} → ${is}  ${result}`)
  }
  console.log(`\n${noticed} of ${chosen.length} broken lines were noticed`)
  if (chosen.length - noticed > PLACES - NOTICED) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
