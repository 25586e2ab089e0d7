/** Workers of a SQLite file: a thread or a process that answers one request after the other. */

import { fork } from 'node:child_process'
import { Worker as Thread } from 'node:worker_threads'
import type { ScanStart } from './scan-messages.ts'

export type Worker = {
  /** Resolves with the answer; rejects with `down` if the worker ends before. */
  ask(message: object): Promise<unknown>
  /** Cancels the running request; the worker may cancel, too. */
  cancel(): void
  /** Whether it accepts another request. */
  isUsable(): boolean
  /** Whether the worker keeps the process running. */
  hold(isBusy: boolean): void
  close(): Promise<void>
}

/** The error to throw when a worker ends before it has answered. */
export type Down = () => Error

/** Settles the one running request. */
class Requests {
  readonly #down: Down
  #id = 0
  #running: PromiseWithResolvers<unknown> | undefined
  isDown = false

  constructor(down: Down) {
    this.#down = down
  }

  /** The id of the running request, or of the last one. */
  get id(): number {
    return this.#id
  }

  begin(post: (id: number) => void): Promise<unknown> {
    if (this.isDown) return Promise.reject(this.#down())
    this.#running = Promise.withResolvers()
    post(++this.#id)
    return this.#running.promise
  }

  answer(answer: unknown): void {
    this.#running?.resolve(answer)
    this.#running = undefined
  }

  goDown(): void {
    this.isDown = true
    this.#running?.reject(this.#down())
    this.#running = undefined
  }
}

/**
 * A thread that needs more memory ends, and leaves the process alone. New values get little room: the rows
 * of a chunk are soon done with, and V8 would keep four times as many before it collects them.
 */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }

/** A thread. Its guard function cancels a request. */
export function openThread(entry: URL, start: ScanStart, down: Down): Worker {
  const ended = new SharedArrayBuffer(4)
  const endedId = new Int32Array(ended)
  const requests = new Requests(down)
  const thread = new Thread(entry, {
    workerData: { ...start, ended },
    execArgv: [],
    resourceLimits: LIMITS,
  })
  thread.on('message', (answer) => requests.answer(answer))
  thread.on('error', () => undefined)
  thread.once('exit', () => requests.goDown())
  thread.unref()
  let isClosing = false
  return {
    ask: (message) => requests.begin((id) => thread.postMessage({ ...message, id })),
    cancel: () => void Atomics.store(endedId, 0, requests.id),
    isUsable: () => !requests.isDown,
    hold(isBusy) {
      if (isClosing) return
      if (isBusy) thread.ref()
      else thread.unref()
    },
    async close() {
      // Keep the process running until the thread has ended: otherwise it could exit first, and
      // this promise would never resolve.
      isClosing = true
      thread.ref()
      await thread.terminate()
    },
  }
}

/** A process. It is killed to cancel a request. */
export function openProcess(entry: URL, start: ScanStart, down: Down): Worker {
  const child = fork(entry, [JSON.stringify(start)], {
    execArgv: [`--max-old-space-size=${LIMITS.maxOldGenerationSizeMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const requests = new Requests(down)
  const ended = Promise.withResolvers<void>()
  const onDown = (): void => {
    requests.goDown()
    ended.resolve()
  }
  child.on('message', (answer) => requests.answer(answer))
  child.once('error', onDown)
  child.once('exit', onDown)
  hold(false)

  function hold(isBusy: boolean): void {
    const change = isBusy ? 'ref' : 'unref'
    child[change]()
    child.channel?.[change]()
  }

  return {
    ask: (message) => requests.begin((id) => void child.send({ ...message, id })),
    cancel: () => void child.kill('SIGKILL'),
    isUsable: () => !requests.isDown,
    hold,
    close: () => {
      // As with threads: this process must not exit before the other has.
      if (!requests.isDown) hold(true)
      child.kill('SIGKILL')
      return ended.promise
    },
  }
}
