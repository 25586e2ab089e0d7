/** How the tests run: every suite under Node, browsers driven from there. */

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { within } from './test/tier.ts'

// Tests start many threads. Each would strip the types of its modules with WebAssembly of its own,
// which takes most of its start and, now and then, fails V8's registry of compiled pages
// (`Check failed: jit_page.has_value()`); from the cache it is quick and safe.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

export default defineConfig({
  test: {
    include: ['{src,test,demo,scripts}/**/*.test.{ts,tsx}'],
    reporters: ['default', './test/closing-line.ts'],
    testTimeout: within(60_000),
    hookTimeout: within(120_000),
    // A browser on a busy machine takes its time; what is there at once is not waited for.
    expect: { poll: { timeout: 15_000 } },
    // Node itself loads what a built client draws with, as it does in a server.
    server: { deps: { external: [/\/server\/render\.js$/] } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
