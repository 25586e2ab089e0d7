/** Builds the package: the library and the server by tsc, the browser's files by Vite. */

import { execFileSync } from 'node:child_process'
import { globSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

const DIST = 'dist'
const STAMP = `${DIST}/.built`
const SOURCES = ['src/**/*.{ts,tsx,css}', 'package.json', 'vite.config.ts', 'tsconfig*.json']

const changed = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether anything of the sources is newer than the last build. */
export const isStale = (): boolean => {
  const built = changed(STAMP)
  return SOURCES.flatMap((pattern) => globSync(pattern)).some((file) => changed(file) > built)
}

/** Runs a tool of the project; its own output tells what is wrong. */
const run = (tool: string, ...args: string[]) =>
  execFileSync(`node_modules/.bin/${tool}`, args, { stdio: ['ignore', 'inherit', 'inherit'] })

/** Built beside and put in place at the end, so that a running server never sees half a build. */
export function build(): void {
  const fresh = `${DIST}.new`
  rmSync(fresh, { recursive: true, force: true })
  run('tsc', '-p', 'tsconfig.build.json', '--outDir', fresh)
  run('vite', 'build', '--logLevel', 'warn', '--outDir', `${fresh}/assets`)
  writeFileSync(`${fresh}/.built`, '')
  rmSync(DIST, { recursive: true, force: true })
  renameSync(fresh, DIST)
}

if (import.meta.main && (!process.argv.includes('--if-stale') || isStale())) build()
