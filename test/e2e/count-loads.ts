/** Notes how many documents each browser test has loaded, for the closing report. */

import { afterEach } from 'vitest'
import { takeLoads } from './browser.ts'

declare module 'vitest' {
  interface TaskMeta {
    loads?: number
  }
}

// What is loaded before all tests of a file counts for the first of them.
afterEach(({ task }) => void (task.meta.loads = takeLoads()))
