/** Watches the code in a folder, except installed packages, hidden folders, builds and data. */

import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join, relative } from 'node:path'

/** Files that a server or a client may consist of. */
const CODE = /\.(?:[cm]?[jt]sx?|css|json|svg|png|woff2)$/

/** Calls `changed` for each changed file below `root`; returns a function that stops it. */
export function watchCode(
  root: string,
  ignored: readonly string[],
  changed: (name: string) => void,
): () => void {
  const watchers = new Map<string, FSWatcher>()

  function follow(folder: string): void {
    if (watchers.has(folder)) return
    const watcher = watch(folder, (_event, name) => {
      if (name === null) return
      if (CODE.test(name)) changed(relative(root, join(folder, name)))
      else followFolders(folder)
    })
    watchers.set(folder, watcher)
    watcher.on('error', () => {
      watcher.close()
      watchers.delete(folder)
    })
    followFolders(folder)
  }

  function followFolders(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const isSkipped = entry.name.startsWith('.') || entry.name === 'node_modules'
      if (entry.isDirectory() && !isSkipped && !ignored.includes(path)) follow(path)
    }
  }

  follow(root)
  return () => watchers.forEach((watcher) => watcher.close())
}
