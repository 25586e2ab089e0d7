/** Builds on every change and restarts the server; open pages reload, or show what went wrong. */

import { randomUUID } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import { explain } from '../explain.ts'
import { createDevServer } from './dev-server.ts'

/** How long files must stay unchanged before a build: editors write in several steps, ms. */
const QUIET_MS = 150

export type DevLoop = {
  /** Arguments for Node that start the server; `again` are those to add on a restart. */
  command(again: readonly string[]): readonly string[]
  /** Builds the changed files, given by name. Throws on failure. */
  build(changed: readonly string[]): Promise<void>
  /** Calls `changed` for each changed file; returns a function that stops it. */
  watch(changed: (name: string) => void): () => void
  /** Files that changed before the start; if empty, the first build is skipped. */
  readonly stale: readonly string[]
}

/** Runs until a signal stops it. */
export function runDevLoop({ command, build, watch, stale }: DevLoop): Promise<void> {
  const server = createDevServer(command)
  /** Id of the served code, by which pages notice that it has changed. */
  let code = randomUUID()
  let isBuilding = false
  const changed = new Set<string>(stale)
  let timer: NodeJS.Timeout | undefined

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
      await server.restart(code)
    } catch (error) {
      const reason = stripVTControlCharacters(explain(error))
      console.error(reason)
      console.log('Not built. The server goes on with the last build.')
      await server.fail(`Not built. This page is of the last build.\n\n${reason}`, code)
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
  else void server.restart(code)
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        unwatch()
        clearTimeout(timer)
        void server.stop().then(resolve)
      })
  })
}
