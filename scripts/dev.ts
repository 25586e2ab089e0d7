/** `npm run dev`: builds on every change and restarts the server; open pages reload by themselves. */

import { watch } from 'node:fs'
import { runDevLoop } from '../src/cli/dev/dev-loop.ts'
import { build, buildStyles, isStale } from './build.ts'
import { endWithParent } from './end-with-parent.ts'

endWithParent()
await runDevLoop({
  command: (again) => ['scripts/start.ts', ...process.argv.slice(2), ...again],
  async build(changed) {
    if (changed.every((name) => name.endsWith('.css'))) buildStyles()
    else build()
  },
  watch(changed) {
    const watchers = ['src', 'demo'].map((folder) =>
      watch(folder, { recursive: true }, (_event, name) => {
        if (name !== null && !/\.test\.tsx?$/.test(name)) changed(name)
      }),
    )
    return () => watchers.forEach((watcher) => watcher.close())
  },
  stale: isStale() ? ['src'] : [],
})
process.exit()
