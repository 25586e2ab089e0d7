/** The `tablewire` command: runs one subcommand, and loads only that one's code. */

import { explain } from './explain.ts'
import { say, version } from './say.ts'
import { readCommand, USAGE } from './settings.ts'

/** Runs the command to its end. Returns the exit code. */
export async function main(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  // React's development checks make each page four times as slow.
  env['NODE_ENV'] ??= 'production'
  try {
    const command = readCommand(args)
    switch (command.name) {
      case 'help':
        say(USAGE)
        break
      case 'version':
        say(await version())
        break
      case 'eject':
        await (await import('./eject-command.ts')).ejectConfig(command, env)
        break
      case 'types':
        await (await import('./eject-command.ts')).ejectTypes(command, env)
        break
      case 'move':
        await (await import('./move-command.ts')).moveCommand(command, env)
        break
      case 'people':
        await (await import('./people-command.ts')).peopleCommand(command, env)
        break
      case 'triggers':
        say((await import('../database/postgres/change-triggers.ts')).CHANGE_TRIGGERS.trimEnd())
        break
      case 'build':
        await (await import('./client/build-command.ts')).buildCommand(command)
        break
      case 'dev':
        await (await import('./dev/dev-command.ts')).devCommand(command, args.slice(1), env)
        break
      case 'serve':
        await (await import('./serve.ts')).serve(command, env)
    }
    return 0
  } catch (error) {
    console.error(explain(error))
    return 1
  }
}
