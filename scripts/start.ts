/** `npm start [database]`: serves the named database, or else the demo, which it builds first. */

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { main as run } from '../src/cli/main.ts'
import { build, isStale } from './build.ts'
import { endWithParent } from './end-with-parent.ts'

const DEMO = '.tablewire/demo.sqlite'
const DEMO_CONFIG = 'demo/tablewire.config.ts'

/** What the arguments name; the command checks them later. */
function readArgs(args: string[]) {
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
  return {
    /** Whether they name a database, or a configuration may. */
    namesDatabase:
      positionals.length > 0 ||
      [values.database, values.config].some((value) => value !== undefined) ||
      existsSync('tablewire.config.ts') ||
      Boolean(process.env['DATABASE_URL']),
    dataFolder: String(values.data ?? process.env['TABLEWIRE_DATA'] ?? '.tablewire'),
  }
}

if (isStale()) {
  console.log('Building…')
  build()
}
const args = process.argv.slice(2)
const { namesDatabase, dataFolder } = readArgs(args)
const isDemo = !namesDatabase
if (isDemo) {
  const [{ buildDemo }, { addPhotographs }] = await Promise.all([
    import('../demo/build.ts'),
    import('../demo/photographs.ts'),
  ])
  if (!existsSync(DEMO)) {
    console.log('Making the demo database from public FAA data…')
    buildDemo(DEMO)
  }
  addPhotographs(DEMO, dataFolder)
}
endWithParent()
const { main } = (await import('../dist/cli/main.js' as string)) as { main: typeof run }
process.exitCode = await main(isDemo ? [DEMO, '--write', '--config', DEMO_CONFIG, ...args] : args)
