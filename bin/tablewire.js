#!/usr/bin/env node
// Starts Tablewire, or says in plain words that this Node is too old for it.

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `Tablewire needs Node 24.7 or newer; this is Node ${process.versions.node}. ` +
      'Install it, or bring it along: npx -p node@24 -p tablewire tablewire <database>',
  )
  process.exitCode = 1
} else {
  await keepCompiled()
  const { main } = await import('../dist/cli/main.js')
  process.exitCode = await main(process.argv.slice(2))
}

/** What Node has compiled is kept for the next start, in a folder of the person's own. */
async function keepCompiled() {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env
  const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'))
  if (!caches) return
  const own = join(caches, 'tablewire')
  // One level after the other: where there can be no folder at all, Node would try for ever.
  for (const folder of [caches, own]) {
    try {
      mkdirSync(folder)
    } catch {
      // It is there, or it cannot be made, which only means that starts are not quicker.
    }
  }
  const { enableCompileCache } = await import('node:module')
  if (existsSync(own)) enableCompileCache(own)
}
