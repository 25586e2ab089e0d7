/** Counts what a process asks of databases, and kills it just before one of these steps. */

import { Socket } from 'node:net'
import { DatabaseSync, StatementSync } from 'node:sqlite'

export type Steps = {
  /**
   * Step before which the process is killed: its number, counted from 1, or how it begins; `null`: it
   * lives.
   */
  readonly dieAt: number | string | null
  /** Called with each step, such as the text of a statement. */
  readonly seen: (step: string) => unknown
}

/** From the first `begin` on, each call of SQLite and each packet to a server is a step. */
export function countSteps({ dieAt, seen }: Steps): void {
  let [isArmed, count] = [false, 0]
  const step = (text: string) => {
    isArmed ||= /begin|start transaction/i.test(text)
    if (!isArmed) return
    count++
    seen(text)
    if (typeof dieAt === 'string' ? text.startsWith(dieAt) : count === dieAt)
      process.kill(process.pid, 'SIGKILL')
  }
  around(DatabaseSync.prototype, 'exec', (_, [text]) => step(String(text)))
  for (const name of ['run', 'all'] as const)
    around(StatementSync.prototype, name, ({ sourceSQL }) => step(sourceSQL))
  around(Socket.prototype, '_write', (_, [chunk]) => step(textOf(chunk)))
  around(Socket.prototype, '_writev', (_, [chunks]) =>
    step((chunks as { chunk: unknown }[]).map(({ chunk }) => textOf(chunk)).join('')),
  )
}

/** The readable part of a packet. */
const textOf = (chunk: unknown): string =>
  Buffer.from(chunk as Uint8Array)
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()

/** Calls `before` ahead of a method of all objects of a class. */
function around<T extends object>(
  prototype: T,
  name: string,
  before: (self: T, args: unknown[]) => void,
): void {
  const method: unknown = Reflect.get(prototype, name)
  if (typeof method !== 'function') throw new TypeError(`There is no method ${name}.`)
  Reflect.set(prototype, name, function (this: T, ...args: unknown[]): unknown {
    before(this, args)
    return Reflect.apply(method, this, args)
  })
}
