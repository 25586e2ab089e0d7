/** Starts an example application as a person would: in its own process, on a free port. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Example = {
  readonly origin: string
  /** The lines that it printed, except its address. */
  readonly lines: string[]
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export async function startExample(name: string): Promise<Example> {
  const child = spawn(process.execPath, [`examples/${name}/server.ts`], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const address = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      const [, origin] = /^Open (.*)\/admin\/$/.exec(line) ?? []
      if (origin === undefined) lines.push(line)
      else address.resolve(origin)
    })
  const ended = once(child, 'exit') as Promise<[number | null]>
  void ended.then(() => address.reject(new Error(lines.join('\n'))))
  return {
    origin: await address.promise,
    lines,
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      return code
    },
  }
}
