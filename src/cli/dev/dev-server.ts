/** The server that `tablewire dev` runs in a process of its own, and starts again after each build. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { withoutSecrets } from '../without-secrets.ts'
import { DEV_CODE, type ListenAddress, readAddress } from './followed.ts'
import { openStandIn, type StandIn } from './stand-in.ts'

/** How much of what the server printed is kept, in characters, to show why it ended. */
const KEPT = 4000

export type DevServer = {
  /** Starts it, or starts it again. `code`: id of the code that it serves. */
  restart(code: string): Promise<void>
  /** Shows a failure on open pages, over what the server last served; starts it if it does not run. */
  fail(failure: string, code: string): Promise<void>
  stop(): Promise<void>
}

export function createDevServer(
  command: (again: readonly string[]) => readonly string[],
): DevServer {
  let server: ChildProcess | null = null
  let standIn: StandIn | null = null
  /** Kept over restarts, so that pages find the server again after `--port 0`. */
  let address: ListenAddress | null = null
  /** The failure to show; `null` if there is none. */
  let failure: string | null = null

  /** Secret and sessions are in the data folder, so a restart signs nobody out. */
  function start(code: string): void {
    const started = spawn(
      process.execPath,
      command(address === null ? [] : ['--port', String(address.port)]),
      { stdio: ['inherit', 'inherit', 'pipe', 'ipc'], env: { ...process.env, [DEV_CODE]: code } },
    )
    let printed = ''
    // What it dies of is printed by Node itself, with addresses as they are.
    if (started.stderr)
      createInterface({ input: started.stderr }).on('line', (line) => {
        const shown = `${withoutSecrets(line)}\n`
        process.stderr.write(shown)
        printed = (printed + shown).slice(-KEPT)
      })
    started.on('message', (message) => {
      address = readAddress(message) ?? address
      if (failure !== null) started.send({ failure })
    })
    // After its output has ended as well.
    started.once('close', () => {
      if (server !== started) return
      server = null
      const reason = printed.trim()
      if (address) standIn = openStandIn(address, `The server has ended.\n\n${reason}`)
    })
    server = started
  }

  async function stop(): Promise<void> {
    const stopped = server
    server = null
    if (stopped && stopped.exitCode === null && stopped.signalCode === null) {
      const over = once(stopped, 'exit')
      stopped.kill('SIGTERM')
      await over
    }
    await standIn?.close()
    standIn = null
  }

  return {
    async restart(code) {
      failure = null
      await stop()
      start(code)
    },
    async fail(reason, code) {
      failure = reason
      if (server) server.send({ failure })
      else {
        await stop()
        start(code)
      }
    },
    stop,
  }
}
