/** How the tests run: every suite under Node, browsers driven from there. */

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { within } from './test/tier.ts'

// Tests start many threads. Each would strip the types of its modules with WebAssembly of its own,
// which takes most of its start and, now and then, fails V8's registry of compiled pages
// (`Check failed: jit_page.has_value()`); from the cache it is quick and safe.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

const ENGINES = [
  'test/{contracts,kills,samples,realtime}/**/*.test.ts',
  'src/database/{mysql,postgres}/**/*.test.ts',
]
const HOSTILE = ['test/{hostile,simulator}/**/*.test.ts']
const BROWSER = ['test/e2e/**/*.test.ts']

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    maxWorkers: 2,
    testTimeout: within(60_000),
    hookTimeout: within(120_000),
    pool: 'forks',
    // A browser on a busy machine takes its time; what is there at once is not waited for.
    expect: { poll: { timeout: 30_000 } },
    // Node itself loads what a built client draws with, as it does in a server.
    server: { deps: { external: [/\/server\/render\.js$/] } },
    // What a browser test was waiting for when it failed ends with its page, and is no failure of its own.
    onUnhandledError: ({ message }) =>
      message.includes('Target page, context or browser has been closed') ? false : undefined,
    globalSetup: './test/run-folder.ts',
    // Servers, sockets and browsers answer in all projects; the closing report names who needed it.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,test,demo,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...ENGINES, ...HOSTILE, ...BROWSER],
          isolate: false,
          setupFiles: './test/properties.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          include: ENGINES,
          isolate: false,
          setupFiles: './test/properties.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'hostile',
          include: HOSTILE,
          isolate: false,
          setupFiles: './test/properties.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          testTimeout: within(180_000),
          // The files of a worker share its browser and its office.
          isolate: false,
          setupFiles: './test/e2e/count-loads.ts',
        },
      },
    ],
  },
})
