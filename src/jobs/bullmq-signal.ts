/** Tells nodes of jobs by a queue of BullMQ on Redis, which gives each job to one node that is free. */

import { loadPackage } from '../server/optional-package.ts'
import type { JobSignal } from './lease-runner.ts'

export type BullmqOptions = {
  /** Such as `redis://localhost:6379`. */
  readonly url: string
  /** Of the queue: nodes that share their records share it. */
  readonly name: string
  /** Jobs that the node takes at once. */
  readonly atOnce: number
  /** Hears of each interruption once. */
  readonly report?: ((error: unknown) => void) | undefined
}

const LONGEST_PAUSE_MS = 2000

/** Redis may be away as long as it likes: what is told to nobody, nodes find by themselves. */
const CONNECTION = {
  maxRetriesPerRequest: null,
  retryStrategy: (times: number) => Math.min(times * 100, LONGEST_PAUSE_MS),
}
/** Nothing of a job is kept in Redis: its records say what became of it. */
const NOTHING_KEPT = { removeOnComplete: true, removeOnFail: true }

/**
 * Loads `bullmq` and `ioredis`, and throws one sentence if one is missing. Connects in the background. Redis
 * only wakes nodes and distributes: which run may write, and how far it is, stands in the records.
 */
export async function bullmqSignal(options: BullmqOptions): Promise<JobSignal> {
  const { url, name, atOnce, report } = options
  const use = 'jobs on several nodes'
  const { Queue, Worker } = await loadPackage(use, 'bullmq', () => import('bullmq'))
  const { Redis } = await loadPackage(use, 'ioredis', () => import('ioredis'))
  let isLost = false
  const lost = (error: unknown): void => {
    if (isLost) return
    isLost = true
    report?.(error)
  }
  const back = (): void => void (isLost = false)
  const told = new Redis(url, CONNECTION)
  const heard = new Redis(url, CONNECTION)
  for (const client of [told, heard]) client.on('error', lost).on('ready', back)
  const queue = new Queue(name, { connection: told })
  queue.on('error', lost)
  let close = async (): Promise<void> => {}
  return {
    send(id) {
      if (told.status !== 'ready') return false
      queue.add('job', { id }, NOTHING_KEPT).catch(lost)
      return true
    },
    open(take) {
      const worker = new Worker(name, take, {
        ...{ connection: heard, concurrency: atOnce },
        ...{ removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } },
      })
      worker.on('error', lost)
      close = () => worker.close(heard.status !== 'ready')
    },
    async close() {
      await close().catch(lost)
      await queue.close().catch(lost)
      told.disconnect()
      heard.disconnect()
    },
  }
}
