/** `tablewire dev`: serves, builds the browser's half, and repeats both when code changes. */

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildClient } from '../client/build-client.ts'
import { findClient } from '../client/client-file.ts'
import { loadConfig } from '../config-file.ts'
import { type Command, readDataFolder } from '../settings.ts'
import { runDevLoop } from './dev-loop.ts'
import { watchCode } from './watch-code.ts'

/** The `tablewire` command. */
const BIN = fileURLToPath(new URL('../../../bin/tablewire.js', import.meta.url))

/** `args`: the arguments after `dev`, passed on to the server. */
export async function devCommand(
  command: Command,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const file = await loadConfig(command.flags.config)
  const client = findClient(file)
  const root = process.cwd()
  const ignored = [
    resolve(readDataFolder(command, env, file?.config)),
    ...(client ? [client.out, `${client.out}.new`] : []),
  ]
  await runDevLoop({
    command: (again) => [BIN, ...args, ...again],
    async build() {
      if (client) await buildClient(client)
    },
    watch: (changed) => watchCode(root, ignored, changed),
    stale: client ? [client.entry] : [],
  })
}
