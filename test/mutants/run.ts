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
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Break, breaksOf, choose } from './places.ts'

const SEED = 20_260_917
const PLACES = 40
/** How many of them the tests have to notice. */
const NOTICED = 38
/** After this long without an answer the tests have noticed: they wait for what does not come. */
const PATIENCE_MS = 20 * 60_000
/** How often tests that fail without the break, too, or not again with it, are tried. */
const ATTEMPTS = 3
const PROJECTS = ['unit', 'engines', 'hostile']
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

type Failure = {
  /** What has to be run to see it again. */
  readonly args: readonly string[]
  /** The file of the test, where there is one. */
  readonly file?: string
  readonly name: string
}

const inProjects = (...names: readonly string[]): string[] =>
  names.flatMap((name) => ['--project', name])

/** What has failed first in a run of tests in the copy; `null` if all passed. */
function failureOf(folder: string, args: readonly string[]): Failure | null {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const all = [...args, '--bail', '1', '--reporter', 'json', '--outputFile', report]
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`
  const env = { ...process.env, PATH, TABLEWIRE_TIER: 'plain' }
  const { status } = spawnSync(VITEST, all, { cwd: folder, env, timeout: PATIENCE_MS })
  if (status === 0) return null
  if (!existsSync(report)) return { args, name: 'no end' }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failed = testResults.find((file) => file.status === 'failed')
  if (!failed) return { args, name: 'no test' }
  const test = failed.assertionResults.find((one) => one.status === 'failed')
  const file = relative(folder, failed.name)
  const again = ['run', file, ...inProjects(...PROJECTS, 'browser')]
  return { args: again, file, name: test?.fullName ?? failed.name }
}

const build = (folder: string): number | null =>
  spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: folder }).status

/** Runs it while the file is broken. */
function whileBroken<T>(folder: string, { path, start, end, is }: Break, run: () => T): T {
  const file = join(folder, path)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.slice(0, start) + is + text.slice(end))
  try {
    return run()
  } finally {
    writeFileSync(file, text)
  }
}

/**
 * The test that notices the break: it fails twice with it and passes without it, so that a test which
 * fails by chance, or for want of something on this machine, does not count.
 */
function provenBy(folder: string, one: Break, args: readonly string[]): string | null {
  const isOfBrowser = args.includes('browser')
  const broken = (what: readonly string[]) =>
    whileBroken(folder, one, () => {
      if (isOfBrowser && build(folder) !== 0) return { args: what, name: 'the build' }
      return failureOf(folder, what)
    })
  const left: string[] = []
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const first = broken(args)
      if (first === null) return null
      if (broken(first.args) === null) continue
      if (isOfBrowser) build(folder)
      if (failureOf(folder, first.args) === null) return first.name
      console.log(`   fails without the break, too: ${first.name}`)
      if (first.file === undefined) continue
      // It would hide what fails after it.
      left.push(join(folder, first.file))
      renameSync(join(folder, first.file), join(folder, `${first.file}.left`))
    }
    return null
  } finally {
    for (const file of left) renameSync(`${file}.left`, file)
  }
}

/**
 * What notices that the file is broken: a test beside it, which is tried first since it mostly does, else
 * one that imports it, or one in a browser that loads it.
 */
function noticedBy(folder: string, one: Break): string | null {
  const { path } = one
  const rest = ['--passWithNoTests', ...inProjects(...PROJECTS)]
  return (
    provenBy(folder, one, ['run', `${dirname(path)}/`, ...rest]) ??
    provenBy(folder, one, ['related', path, '--run', ...rest]) ??
    (/^src\/(?:client|react|ui)\//.test(path)
      ? provenBy(folder, one, ['run', ...inProjects('browser')])
      : null)
  )
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
