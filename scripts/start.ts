/** `npm start [database]`: serves the database that is named, or else the demo, made first. */

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { build, isStale } from './build.ts'

const DEMO = '.tablewire/demo.sqlite'
/** How often to look whether npm is still there, ms. */
const PARENT_LOOK_MS = 1000

/** Whether the person has named a database of their own; what else they wrote is not judged here. */
function namesDatabase(args: string[]): boolean {
  const named = { type: 'string' } as const
  const options = { database: named, host: named, port: named, data: named, url: named }
  const { values, positionals } = parseArgs({
    args,
    options,
    strict: false,
    allowPositionals: true,
  })
  return (
    positionals.length > 0 || values.database !== undefined || Boolean(process.env['DATABASE_URL'])
  )
}

/** npm does not hand on a signal to end; a server without it would hold its port for ever. */
function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, PARENT_LOOK_MS).unref()
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
const { main } = (await import('../dist/cli/main.js' as string)) as {
  main(args: readonly string[]): Promise<number>
}
process.exitCode = await main(isDemo ? [DEMO, ...args] : args)
