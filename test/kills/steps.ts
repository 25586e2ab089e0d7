/** Counts what a process asks of databases, and kills it just before one of these steps. */

import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
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
  /** Whether steps count at once. Default: from the first `begin` on. */
  readonly isArmed?: boolean
}

/** Each call of SQLite and each packet to a server is a step; returns what counts steps of other kinds. */
export function countSteps({ dieAt, seen, ...begun }: Steps): (step: string) => void {
  let [isArmed, count] = [begun.isArmed ?? false, 0]
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
  return step
}

/** Files that are opened, written, moved and removed are steps, too. */
export function countDiskSteps(step: (text: string) => void): void {
  for (const name of ['open', 'rename', 'rm'] as const)
    around(fs, name, (_, paths) => step(`${name} ${paths.join(' ')}`))
  const { open } = fs
  let isCounted = false
  fs.open = async (...args) => {
    const file = await open(...args)
    if (!isCounted)
      for (const name of ['write', 'writeFile', 'sync', 'datasync', 'truncate'] as const)
        around<typeof file>(Object.getPrototypeOf(file), name, () => step(name))
    isCounted = true
    return file
  }
  syncBuiltinESMExports()
}

/** Files that are kept get their names only a while after that was asked for. */
export function keepLate(): void {
  const { rename } = fs
  fs.rename = async (from, to) => {
    if (!String(to).includes('kept')) return rename(from, to)
    setTimeout(() => void rename(from, to), 1000)
  }
  syncBuiltinESMExports()
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
