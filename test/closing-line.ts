/** Ends a test run with the one line that every log reader understands. */

import type { Reporter, TestModule } from 'vitest/node'

// Vitest takes a reporter from a file's default export only.
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // A file that could not even be loaded has no tests, and is a failure all the same.
    const broken = modules.filter((module) => module.errors().length > 0).length
    const failed = count('failed') + broken + errors.length
    console.log(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`)
  }
}
