/** `npm start [database]`: serves the named database, or else the demo, which it builds first. */

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { main as run } from '../src/cli/main.ts'
import { build, isStale } from './build.ts'
import { endWithParent } from './end-with-parent.ts'

const DEMO = '.tablewire/demo.sqlite'

/** Whether the arguments name a database, or a configuration may; the command checks them later. */
function namesDatabase(args: string[]): boolean {
  const named = { type: 'string' } as const
  const options = {
    ...{ database: named, host: named, port: named, data: named, url: named },
    ...{ config: named, out: named },
  }
  const { values, positionals } = parseArgs({
    args,
    options,
    strict: false,
    allowPositionals: true,
  })
  return (
    positionals.length > 0 ||
    [values.database, values.config].some((value) => value !== undefined) ||
    existsSync('tablewire.config.ts') ||
    Boolean(process.env['DATABASE_URL'])
  )
}

if (isStale()) {
  console.log('Building…')
  build()
}
const args = process.argv.slice(2)
const isDemo = !namesDatabase(args)
if (isDemo && !existsSync(DEMO)) {
  const { buildDemo } = await import('../demo/build.ts')
  console.log('Making the demo database from public FAA data…')
  buildDemo(DEMO)
}
endWithParent()
const { main } = (await import('../dist/cli/main.js' as string)) as { main: typeof run }
process.exitCode = await main(isDemo ? [DEMO, '--write', ...args] : args)
