/** Opens the database of a command, and checks the whole configuration against it. */

import { checkDefinitions } from '../table/definition/check-definitions.ts'
import { checkRoles } from '../table/roles/check-roles.ts'
import { problemLines } from '../table/definition/problems.ts'
import type { RowSource } from '../table/source/row-source.ts'
import type { Schema } from '../table/source/schema.ts'
import type { ConfigFile } from './config-file.ts'
import { explain } from './explain.ts'
import { openDatabase } from './open-database.ts'
import { type Command, readSettings, type Settings, SettingsError } from './settings.ts'

/**
 * Returns settings and database. Throws `SettingsError` with every mistake of the configuration, one
 * a line, before anything is written.
 */
export async function openChecked(
  command: Command,
  env: NodeJS.ProcessEnv,
  file: ConfigFile | undefined,
): Promise<{ settings: Settings; source: RowSource }> {
  const mistakes = problemLines(file?.problems ?? [])
  try {
    const settings = readSettings(command, env, file?.config)
    const source = await openDatabase(settings.database, env)
    const ofTables = await checkTables(source, file)
    if (ofTables.length === 0 && mistakes.length === 0) return { settings, source }
    mistakes.push(...ofTables)
    await source.close()
  } catch (error) {
    if (mistakes.length === 0) throw error
    mistakes.push(explain(error))
  }
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`
  const lines = mistakes.map((line) => `  ${line}`)
  throw new SettingsError([`${file?.name} has ${count}:`, ...lines].join('\n'))
}

async function checkTables(source: RowSource, file: ConfigFile | undefined): Promise<string[]> {
  try {
    const { tables, kinds, roles } = file?.config ?? {}
    const schema = await source.describe()
    return problemLines([
      ...checkDefinitions(tables, schema, kinds),
      ...checkRoles(roles, { schema, definitions: tables }),
    ])
  } catch (error) {
    await source.close()
    throw error
  }
}

/** Reads a database's schema, and closes it again. */
export async function describeDatabase(database: string, env: NodeJS.ProcessEnv): Promise<Schema> {
  const source = await openDatabase(database, env)
  try {
    return await source.describe()
  } finally {
    await source.close()
  }
}
