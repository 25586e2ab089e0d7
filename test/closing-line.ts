/** Ends a test run with what to know of it, and last the one line that every log reader understands. */

import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { isPlain, SEED } from './tier.ts'

/** Pages that the browser tests of a plain run may load: they are what these cost. */
const MOST_LOADS = 180

// Vitest takes a reporter from a file's default export only.
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // A file that could not even be loaded, or a hook that failed, is a failure of no test.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    const broken = suites.filter((suite) => suite.errors().length > 0).length
    const loads = tests.map(loadsOf).reduce((sum, each) => sum + each, 0)
    const isTooMuch = isPlain && loads > MOST_LOADS
    if (isTooMuch) process.exitCode = 1
    const failed = count('failed') + broken + errors.length + Number(isTooMuch)
    const cases = casesByFamily(tests)
    if (cases.size > 0) console.log(`\nHostile cases: ${casesText(cases)}`)
    if (loads > 0)
      console.log(`\nPages loaded: ${loads}${isPlain ? ` of at most ${MOST_LOADS}` : ''}`)
    const flaky = tests.filter((test) => test.diagnostic()?.flaky === true)
    if (flaky.length > 0)
      console.log(`\nNeeded a second try:\n${flaky.map(firstTryOf).toSorted().join('\n')}`)
    console.log(`\nSeed ${SEED}`)
    console.log(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`)
  }
}

/** How many pages a test has loaded, as e2e/count-loads.ts notes it. */
function loadsOf(test: TestCase): number {
  const { loads = 0 } = test.meta() as { loads?: number }
  return loads
}

/** A test that needed a second try, and why the first one failed. */
function firstTryOf(test: TestCase): string {
  const [error] = test.result().errors ?? []
  const at = error?.stacks?.find(({ file }) => !file.includes('node_modules'))
  const why = error ? `\n    ${error.message.split('\n', 1)[0]}` : ''
  return `  ${test.module.relativeModuleId} > ${test.fullName}${why}${at ? ` (line ${at.line})` : ''}`
}

/** What the tests in hostile/ have noted. */
function casesByFamily(tests: readonly TestCase[]): Map<string, number> {
  const cases = new Map<string, number>()
  for (const test of tests) {
    const { hostile } = test.meta() as { hostile?: { family: string; cases: number } }
    if (hostile) cases.set(hostile.family, (cases.get(hostile.family) ?? 0) + hostile.cases)
  }
  return cases
}

function casesText(cases: ReadonlyMap<string, number>): string {
  const families = [...cases].map(([family, count]) => `${family} ${count}`).toSorted()
  const all = [...cases.values()].reduce((sum, count) => sum + count, 0)
  return `${families.join(', ')}; ${all} in all`
}
