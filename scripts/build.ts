/** Builds the package: the library and the server by tsc, the browser's files by Vite. */

import { execFileSync } from 'node:child_process'
import { globSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

const DIST = 'dist'
const FRESH = `${DIST}.new`
const STAMP = '.built'
const SOURCES = ['src/**/*.{ts,tsx,css}', 'package.json', 'vite.config.ts', 'tsconfig*.json']

const changed = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether any source is newer than the last build. */
export const isStale = (): boolean => {
  const built = changed(`${DIST}/${STAMP}`)
  return SOURCES.flatMap((pattern) => globSync(pattern)).some((file) => changed(file) > built)
}

/** Runs a tool of the project, which prints its own errors. */
const run = (tool: string, ...args: string[]) =>
  execFileSync(`node_modules/.bin/${tool}`, args, { stdio: ['ignore', 'inherit', 'inherit'] })

const buildAssets = (folder: string) =>
  run('vite', 'build', '--logLevel', 'warn', '--outDir', folder)

/** Builds into a folder beside, then swaps it in: a running server never sees half a build. */
function replace(folder: string, make: (fresh: string) => void): void {
  rmSync(FRESH, { recursive: true, force: true })
  make(FRESH)
  rmSync(folder, { recursive: true, force: true })
  renameSync(FRESH, folder)
  writeFileSync(`${DIST}/${STAMP}`, '')
}

export const build = (): void =>
  replace(DIST, (fresh) => {
    run('tsc', '-p', 'tsconfig.build.json', '--outDir', fresh)
    buildAssets(`${fresh}/assets`)
  })

/** Enough when only style sheets have changed since the last whole build. */
export const buildStyles = (): void => replace(`${DIST}/assets`, buildAssets)

if (import.meta.main && (!process.argv.includes('--if-stale') || isStale())) build()
