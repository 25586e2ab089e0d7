/** `tablewire eject` and `tablewire types`: read a database, write files, and print their names. */

import { loadConfig } from './config-file.ts'
import { eject, filesToEject, writeTypes } from './eject.ts'
import { describeDatabase } from './open-checked.ts'
import { say } from './say.ts'
import { type Command, readDatabase } from './settings.ts'

/** Writes a configuration and the type of the database. */
export async function ejectConfig(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const { out } = command.flags
  filesToEject(out)
  const database = readDatabase(command, env)
  const schema = await describeDatabase(database, env)
  const isNamed = command.database !== undefined
  for (const name of eject(schema, { out, database, isNamed })) say(`Written: ${name}`)
}

/** Writes the type of the database alone. */
export async function ejectTypes(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const file = await loadConfig(command.flags.config)
  const schema = await describeDatabase(readDatabase(command, env, file?.config), env)
  say(`Written: ${writeTypes(schema, command.flags.out)}`)
}
