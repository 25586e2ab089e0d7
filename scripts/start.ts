/** `npm start`: makes the demo where it is missing, and serves it. */

import { existsSync } from 'node:fs'
import { build, isStale } from './build.ts'

const DATABASE = '.tablewire/demo.sqlite'

if (isStale()) {
  console.log('Building…')
  build()
}
if (!existsSync(DATABASE)) {
  const { buildDemo } = await import('../demo/build.ts')
  console.log('Making the demo database from public FAA data…')
  buildDemo(DATABASE)
}
const { main } = (await import('../dist/cli/main.js' as string)) as {
  main(args: readonly string[]): Promise<number>
}
process.exitCode = await main([DATABASE, ...process.argv.slice(2)])
