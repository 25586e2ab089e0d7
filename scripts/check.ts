/** `npm run check`: types, lint, format, boundaries, unused code, package shape. */

import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { build, isStale } from './build.ts'

const projects = [...globSync('{src/*,demo,examples}/tsconfig.json'), 'tsconfig.test.json']

const STEPS: readonly [name: string, command: string, ...args: string[]][] = [
  ...projects.map(
    (project) => [`types of ${project}`, 'tsc', '-p', project] as [string, string, ...string[]],
  ),
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt', '--check', '.'],
  [
    'boundaries',
    'vitest',
    'run',
    'test/boundaries.test.ts',
    'test/exports.test.ts',
    '--reporter=dot',
  ],
  ['unused code', 'knip'],
  ['package', 'publint', '--strict'],
  ['package types', 'attw', '--pack', '.', '--profile', 'esm-only'],
]

if (isStale()) build()
const failed = STEPS.filter(([name, command, ...args]) => {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${command}`, args, {
    encoding: 'utf8',
  })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (status !== 0) console.log(stdout + stderr)
  return status !== 0
})
process.exitCode = failed.length > 0 ? 1 : 0
