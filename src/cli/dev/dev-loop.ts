/** Builds on every change and restarts the server; open pages reload by themselves. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { DEV_CODE } from './followed.ts'

/** How long files must stay unchanged before a build: editors write in several steps, ms. */
const QUIET_MS = 150

export type DevLoop = {
  /** Arguments for Node that start the server; `again` are those to add on a restart. */
  command(again: readonly string[]): readonly string[]
  /** Builds the changed files, given by name. Throws on failure, after reporting it. */
  build(changed: readonly string[]): Promise<void>
  /** Calls `changed` for each changed file; returns a function that stops it. */
  watch(changed: (name: string) => void): () => void
  /** Files that changed before the start; if empty, the first build is skipped. */
  readonly stale: readonly string[]
}

/** Runs until a signal stops it. */
export function runDevLoop({ command, build, watch, stale }: DevLoop): Promise<void> {
  let server: ChildProcess | null = null
  /** Called once the server has stopped. */
  let afterwards: (() => void) | null = null
  /** The server's port, kept over restarts so that pages find it again after `--port 0`. */
  let port: string | null = null
  /** Id of the served code, by which pages notice that it has changed. */
  let code = randomUUID()
  let isBuilding = false
  const changed = new Set<string>(stale)
  let timer: NodeJS.Timeout | undefined

  /** Secret and sessions are in the data folder, so a restart signs nobody out. */
  function start(): void {
    server = spawn(process.execPath, command(port === null ? [] : ['--port', port]), {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, [DEV_CODE]: code },
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
    // Tries again later: what changed meanwhile gets a build of its own.
    if (isBuilding) return soon()
    isBuilding = true
    const started = performance.now()
    const names = [...changed]
    try {
      await build(names)
      if (!names.every((name) => name.endsWith('.css'))) code = randomUUID()
      // Only now, so that files of a failed build are built again with the next change.
      for (const name of names) changed.delete(name)
      console.log(`Built in ${Math.round(performance.now() - started)} ms.`)
      stop(start)
    } catch {
      // `build` has reported the error; the next change tries again.
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
