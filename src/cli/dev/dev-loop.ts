/** Builds on every change, restarts the server, and open pages follow by themselves. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { CODE } from './followed.ts'

/** Editors write a file in several steps; a build waits until they are done, ms. */
const QUIET_MS = 150

export type DevLoop = {
  /** Arguments for Node that start the server; `again` says more to later ones. */
  command(again: readonly string[]): readonly string[]
  /** Builds what has changed, by names of files. Throws where it cannot, and has said why. */
  build(changed: readonly string[]): Promise<void>
  /** Tells of each file that changes; returns what ends that. */
  watch(changed: (name: string) => void): () => void
  /** What has changed before anybody looked; nothing is built where it is empty. */
  readonly stale: readonly string[]
}

/** Runs until it is told to stop. */
export function runDevLoop({ command, build, watch, stale }: DevLoop): Promise<void> {
  let server: ChildProcess | null = null
  /** What to do once the server has stopped. */
  let afterwards: (() => void) | null = null
  /** Once the server has said it, so that pages find it again after `--port 0`. */
  let port: string | null = null
  /** Tells pages whether the code is still theirs. */
  let code = randomUUID()
  let isBuilding = false
  const changed = new Set<string>(stale)
  let timer: NodeJS.Timeout | undefined

  /** The data folder keeps secret and sessions, so a restart signs nobody out. */
  function start(): void {
    server = spawn(process.execPath, command(port === null ? [] : ['--port', port]), {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, [CODE]: code },
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

  async function rebuild(): Promise<void> {
    // What has changed meanwhile is built after this.
    if (isBuilding) return soon()
    isBuilding = true
    const started = performance.now()
    const names = [...changed]
    try {
      await build(names)
      if (!names.every((name) => name.endsWith('.css'))) code = randomUUID()
      // Only now: what could not be built is built with the next change.
      for (const name of names) changed.delete(name)
      console.log(`Built in ${Math.round(performance.now() - started)} ms.`)
      stop(start)
    } catch {
      // What is wrong has been said; the next change tries again.
      console.log('Not built. The server goes on with the last build.')
    }
    isBuilding = false
  }

  function soon(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void rebuild(), QUIET_MS)
  }

  const unwatch = watch((name) => {
    changed.add(name)
    soon()
  })
  if (changed.size > 0) void rebuild()
  else start()
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        unwatch()
        clearTimeout(timer)
        stop(resolve)
      })
  })
}
