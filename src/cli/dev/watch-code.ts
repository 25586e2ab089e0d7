/** Watches the code of a folder: not what is installed, built, hidden or data. */

import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join, relative } from 'node:path'

/** What a server or a client may be made of. */
const CODE = /\.(?:[cm]?[jt]sx?|css|json|svg|png|woff2)$/

/** Tells of each file that changes below `root`; returns what ends that. `ignored`: paths of folders. */
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
