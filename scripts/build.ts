/** Builds the package: the library and the server by tsc, the browser's files by Vite. */

import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'

const STAMP = 'dist/.built'
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

export function build(): void {
  rmSync('dist', { recursive: true, force: true })
  mkdirSync('dist')
  run('tsc', '-p', 'tsconfig.build.json')
  run('vite', 'build', '--logLevel', 'warn')
  writeFileSync(STAMP, '')
}

if (import.meta.main && (!process.argv.includes('--if-stale') || isStale())) build()
