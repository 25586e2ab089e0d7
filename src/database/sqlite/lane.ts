/** Lanes: a worker thread or a process that answers one request after the other. */

import { fork } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import type { ScanStart } from './scan-messages.ts'

export type Lane = {
  post(message: { readonly id: number }): void
  /** Ends the request that runs; the lane may go down with it. */
  end(id: number): void
  /** Whether the lane keeps the process running. */
  hold(isBusy: boolean): void
  close(): Promise<void>
}

export type LaneEvents = {
  onAnswer(answer: unknown): void
  /** The lane has ended, whether it was told to or not. */
  onDown(): void
}

/** A thread. A request ends at the guard that its statements ask. */
export function openThread(entry: URL, start: ScanStart, events: LaneEvents): Lane {
  const ended = new SharedArrayBuffer(4)
  const endedId = new Int32Array(ended)
  const worker = new Worker(entry, { workerData: { ...start, ended }, execArgv: [] })
  worker.on('message', events.onAnswer)
  worker.on('error', () => undefined)
  worker.once('exit', events.onDown)
  worker.unref()
  let isClosing = false
  return {
    post: (message) => worker.postMessage(message),
    end: (id) => void Atomics.store(endedId, 0, id),
    hold(isBusy) {
      if (isClosing) return
      if (isBusy) worker.ref()
      else worker.unref()
    },
    async close() {
      // Held to the end: else nothing might keep the process until its thread has ended, and
      // whoever waits for that would never be told.
      isClosing = true
      worker.ref()
      await worker.terminate()
    },
  }
}

/** A process. A request ends with it. */
export function openProcess(entry: URL, start: ScanStart, events: LaneEvents): Lane {
  const child = fork(entry, [JSON.stringify(start)], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const down = Promise.withResolvers<void>()
  let isDown = false
  const onDown = (): void => {
    if (isDown) return
    isDown = true
    events.onDown()
    down.resolve()
  }
  child.on('message', events.onAnswer)
  child.once('error', onDown)
  child.once('exit', onDown)
  hold(false)

  function hold(isBusy: boolean): void {
    const change = isBusy ? 'ref' : 'unref'
    child[change]()
    child.channel?.[change]()
  }

  return {
    post: (message) => void child.send(message),
    end: () => void child.kill('SIGKILL'),
    hold,
    close: () => {
      child.kill('SIGKILL')
      return down.promise
    },
  }
}
