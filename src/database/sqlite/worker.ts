/** Workers of a SQLite file: a thread or a process that answers one request after the other. */

import { fork } from 'node:child_process'
import { Worker as Thread } from 'node:worker_threads'
import type { ScanStart } from './scan-messages.ts'

export type Worker = {
  /** The answer to a message; rejects with `down` when the worker ends before it. */
  ask(message: object): Promise<unknown>
  /** Ends the request that runs; the worker may go down with it. */
  end(): void
  /** Whether it takes another request. */
  isUsable(): boolean
  /** Whether the worker keeps the process running. */
  hold(isBusy: boolean): void
  close(): Promise<void>
}

/** What is thrown when a worker goes down with a request. */
export type Down = () => Error

/** Matches answers with the one request that runs. */
class Requests {
  readonly #down: Down
  #id = 0
  #running: PromiseWithResolvers<unknown> | undefined
  isDown = false

  constructor(down: Down) {
    this.#down = down
  }

  /** The id of the request that runs, or ran last. */
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

/** A thread. A request ends at the guard that its statements ask. */
export function openThread(entry: URL, start: ScanStart, down: Down): Worker {
  const ended = new SharedArrayBuffer(4)
  const endedId = new Int32Array(ended)
  const requests = new Requests(down)
  const thread = new Thread(entry, { workerData: { ...start, ended }, execArgv: [] })
  thread.on('message', (answer) => requests.answer(answer))
  thread.on('error', () => undefined)
  thread.once('exit', () => requests.goDown())
  thread.unref()
  let isClosing = false
  return {
    ask: (message) => requests.begin((id) => thread.postMessage({ ...message, id })),
    end: () => void Atomics.store(endedId, 0, requests.id),
    isUsable: () => !requests.isDown,
    hold(isBusy) {
      if (isClosing) return
      if (isBusy) thread.ref()
      else thread.unref()
    },
    async close() {
      // Held to the end: else nothing might keep the process until its thread has ended, and
      // whoever waits for that would never be told.
      isClosing = true
      thread.ref()
      await thread.terminate()
    },
  }
}

/** A process. A request ends with it. */
export function openProcess(entry: URL, start: ScanStart, down: Down): Worker {
  const child = fork(entry, [JSON.stringify(start)], {
    execArgv: [],
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
    end: () => void child.kill('SIGKILL'),
    isUsable: () => !requests.isDown,
    hold,
    close: () => {
      child.kill('SIGKILL')
      return ended.promise
    },
  }
}
