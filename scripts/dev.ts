/** `npm run dev`: builds on every change, restarts the server, and loads open pages again. */

import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { build } from './build.ts'

/** Editors write a file in several steps; a build waits until they are done, ms. */
const QUIET_MS = 150

let server: ChildProcess | null = null
let timer: NodeJS.Timeout | undefined

/** The data folder keeps secret and sessions, so a restart signs nobody out. */
function restart(): void {
  const old = server
  const start = () => {
    server = spawn(process.execPath, ['scripts/start.ts', ...process.argv.slice(2)], {
      stdio: 'inherit',
    })
  }
  if (!old || old.exitCode !== null) return start()
  old.once('exit', start)
  old.kill('SIGTERM')
}

function rebuild(): void {
  const started = performance.now()
  try {
    build()
    console.log(`Built in ${Math.round(performance.now() - started)} ms.`)
    restart()
  } catch {
    // The tools have said what is wrong; the next change tries again.
    console.log('Not built. The server goes on with the last build.')
  }
}

rebuild()
for (const folder of ['src', 'demo'])
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(rebuild, QUIET_MS)
  })
process.once('SIGINT', () => process.exit(0))
