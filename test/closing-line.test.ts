import { expect, onTestFinished, test, vi } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'
import ClosingLine from './closing-line.ts'
import { SEED } from './tier.ts'

const testOf = (fullName: string, state: string, flaky = false) => ({
  fullName,
  module: { relativeModuleId: 'test/e2e/list.test.ts' },
  result: () => ({ state }),
  diagnostic: () => ({ flaky }),
  meta: () => ({ loads: state === 'skipped' ? 0 : 2 }),
})

test('a run ends with the pages that it loaded, what needed a second try, its seed, and the counts', () => {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  onTestFinished(() => void vi.restoreAllMocks())
  const tests = [testOf('a', 'passed'), testOf('b', 'passed', true), testOf('c', 'skipped')]
  const children = { allTests: () => tests as unknown as TestCase[], allSuites: () => [] }
  const file = { children, errors: () => [] } as unknown as TestModule
  new ClosingLine().onTestRunEnd([file], [])
  expect(lines.join('\n').trim().split('\n')).toEqual([
    'Pages loaded: 4 of at most 180',
    '',
    'Needed a second try:',
    '  test/e2e/list.test.ts > b',
    '',
    `Seed ${SEED}`,
    '2 passed, 0 failed, 1 skipped',
  ])
})
