import { expect, test } from 'vitest'
import type { Problem } from '../table/definition/problems.ts'
import { openChecked } from './open-checked.ts'
import { readCommand } from './settings.ts'

test('a database that cannot be opened is told by itself, or among the mistakes of the configuration', async () => {
  const open = (problems: readonly Problem[]) => {
    const file = { name: 'tablewire.config.ts', config: { tables: {} }, problems }
    return openChecked(readCommand(['oracle://shop']), {}, file)
  }
  await expect(open([])).rejects.toThrow(/^Tablewire opens .*; \[oracle:\] is none of them\.$/)
  await expect(open([{ path: 'port', message: 'expected a number' }])).rejects.toThrow(
    /^tablewire\.config\.ts has 2 mistakes:\n {2}port.*expected a number.*\n {2}Tablewire opens .* none of them\.$/,
  )
})
