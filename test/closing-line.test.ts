import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'
import ClosingLine from './closing-line.ts'
import { isPlain, SEED } from './tier.ts'

/** Why a first try failed: in a library, called from a test. */
const FAILURE = {
  message: 'expected 1 to be 2\nin more lines',
  stacks: [
    { file: '/node_modules/library/index.js', line: 1 },
    { file: '/test/e2e/list.test.ts', line: 12 },
  ],
}

const testOf = (fullName: string, state: string, { flaky = false, loads = 2 } = {}) => ({
  fullName,
  module: { relativeModuleId: 'test/e2e/list.test.ts' },
  result: () => ({ state, ...(flaky && { errors: [FAILURE] }) }),
  diagnostic: () => ({ flaky }),
  meta: () => ({ loads: state === 'skipped' ? 0 : loads }),
})

let exitCode: typeof process.exitCode
beforeEach(() => {
  exitCode = process.exitCode
  onTestFinished(() => void (process.exitCode = exitCode))
})

/** What a run of these tests ends with. */
function endOf(tests: readonly ReturnType<typeof testOf>[]): string[] {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  onTestFinished(() => void vi.restoreAllMocks())
  const children = { allTests: () => tests as unknown as TestCase[], allSuites: () => [] }
  const file = { children, errors: () => [] } as unknown as TestModule
  new ClosingLine().onTestRunEnd([file], [])
  return lines.join('\n').trim().split('\n')
}

test('a run ends with the pages that it loaded, what needed a second try, its seed, and the counts', () => {
  const tests = [
    testOf('a', 'passed'),
    testOf('b', 'passed', { flaky: true }),
    testOf('c', 'skipped'),
  ]
  expect(endOf(tests)).toEqual([
    `Pages loaded: 4${isPlain ? ' of at most 180' : ''}`,
    '',
    'Needed a second try:',
    '  test/e2e/list.test.ts > b',
    '    expected 1 to be 2 (line 12)',
    '',
    `Seed ${SEED}`,
    '2 passed, 0 failed, 1 skipped',
  ])
  expect(process.exitCode).toBe(exitCode)
})

test.runIf(isPlain)('a run that loads more pages than it may fails', () => {
  const end = endOf([testOf('a', 'passed', { loads: 100 }), testOf('b', 'passed', { loads: 81 })])
  expect(end[0]).toBe('Pages loaded: 181 of at most 180')
  expect(end.at(-1)).toBe('2 passed, 1 failed, 0 skipped')
  expect(process.exitCode).toBe(1)
})
