/** `npm run dev`: builds on every change, restarts the server, and open pages follow by themselves. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { build, buildStyles, isStale } from './build.ts'
import { endWithParent } from './end-with-parent.ts'

/** Editors write a file in several steps; a build waits until they are done, ms. */
const QUIET_MS = 150

let server: ChildProcess | null = null
/** What to do once the server has stopped. */
let afterwards: (() => void) | null = null
/** Once the server has said it, so that pages find it again after `--port 0`. */
let port: string | null = null
/** Tells pages whether the code is still theirs. */
let code = randomUUID()
const changed = new Set<string>()
let timer: NodeJS.Timeout | undefined

/** The data folder keeps secret and sessions, so a restart signs nobody out. */
function start(): void {
  const again = port === null ? [] : ['--port', port]
  server = spawn(process.execPath, ['scripts/start.ts', ...process.argv.slice(2), ...again], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, TABLEWIRE_DEV_CODE: code },
  })
  server.on('message', (message) => (port = JSON.stringify(message)))
  server.once('exit', () => {
    server = null
    const next = afterwards
    afterwards = null
    next?.()
  })
}

function stop(next: () => void): void {
  if (!server) return next()
  afterwards = next
  server.kill('SIGTERM')
}

function rebuild(): void {
  const started = performance.now()
  const names = [...changed]
  try {
    if (names.every((name) => name.endsWith('.css'))) buildStyles()
    else {
      build()
      code = randomUUID()
    }
    // Only now: what could not be built is built with the next change.
    for (const name of names) changed.delete(name)
    console.log(`Built in ${Math.round(performance.now() - started)} ms.`)
    stop(start)
  } catch {
    // The tools have said what is wrong; the next change tries again.
    console.log('Not built. The server goes on with the last build.')
  }
}

for (const folder of ['src', 'demo'])
  watch(folder, { recursive: true }, (_event, name) => {
    if (name === null || /\.test\.tsx?$/.test(name)) return
    changed.add(name)
    clearTimeout(timer)
    timer = setTimeout(rebuild, QUIET_MS)
  })
endWithParent()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop(() => process.exit(0)))

if (isStale()) changed.add('src')
if (changed.size > 0) rebuild()
else start()
