/** How the tests run: every suite under Node, browsers driven from there. */

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,test,demo,scripts}/**/*.test.{ts,tsx}'],
    reporters: ['default', './test/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
