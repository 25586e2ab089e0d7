/** Kills a scanning process whose parent has died: busy in SQLite, it would not notice by itself. */

import { workerData } from 'node:worker_threads'
import * as v from 'valibot'

const INTERVAL_MS = 1000

const parent = v.parse(v.number(), workerData)

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
