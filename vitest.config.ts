/** How the tests run: every suite under Node, browsers driven from there. */

import { defineConfig } from 'vitest/config'
import { within } from './test/tier.ts'

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
