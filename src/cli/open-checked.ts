/** Opens the database of a command, once all that was declared of it has been checked. */

import { checkDefinitions } from '../table/definition/check-definitions.ts'
import { problemLines } from '../table/definition/problems.ts'
import type { RowSource } from '../table/source/row-source.ts'
import type { Schema } from '../table/source/schema.ts'
import type { ConfigFile } from './config-file.ts'
import { explain } from './explain.ts'
import { openDatabase } from './open-database.ts'
import { type Command, readSettings, type Settings, SettingsError } from './settings.ts'

/**
 * Settings and database. Throws `SettingsError` with every mistake of the configuration, a line each,
 * before anything is written anywhere.
 */
export async function openChecked(
  command: Command,
  env: NodeJS.ProcessEnv,
  file: ConfigFile | undefined,
): Promise<{ settings: Settings; source: RowSource }> {
  const told = problemLines(file?.problems ?? [])
  try {
    const settings = readSettings(command, env, file?.config)
    const source = await openDatabase(settings.database, env)
    const mistakes = await checkTables(source, file)
    if (mistakes.length === 0 && told.length === 0) return { settings, source }
    told.push(...mistakes)
    await source.close()
  } catch (error) {
    if (told.length === 0) throw error
    told.push(explain(error))
  }
  const count = told.length === 1 ? 'a mistake' : `${told.length} mistakes`
  const lines = told.map((line) => `  ${line}`)
  throw new SettingsError([`${file?.name} has ${count}:`, ...lines].join('\n'))
}

async function checkTables(source: RowSource, file: ConfigFile | undefined): Promise<string[]> {
  try {
    const { tables, kinds } = file?.config ?? {}
    return problemLines(checkDefinitions(tables, await source.describe(), kinds))
  } catch (error) {
    await source.close()
    throw error
  }
}

/** What a database holds; it is closed again. */
export async function describeDatabase(database: string, env: NodeJS.ProcessEnv): Promise<Schema> {
  const source = await openDatabase(database, env)
  try {
    return await source.describe()
  } finally {
    await source.close()
  }
}
