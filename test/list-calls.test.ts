import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** It calls about 8,000; up to a hundred more or less are a matter of timers. */
const CALLS_MAX = 8100

test('a document of the list calls few functions', () => {
  const script = join(import.meta.dirname, 'count-calls.ts')
  const calls = Number(execFileSync(process.execPath, [script], { encoding: 'utf8' }))
  expect(calls).toBeGreaterThan(1000)
  expect(calls).toBeLessThanOrEqual(CALLS_MAX)
})
