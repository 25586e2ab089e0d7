/** `tablewire eject` and `tablewire types`: read a database and corrections, write files, and print their names. */

import { existsSync } from 'node:fs'
import { openRecords, recordsFile } from '../admin/compose/records-place.ts'
import { correctedDatabase, storedCorrections } from '../admin/corrections/corrections.ts'
import type { Correction } from '../table/definition/corrections.ts'
import { loadConfig } from './config-file.ts'
import { eject, filesToEject, writeTypes } from './eject.ts'
import { describeDatabase } from './open-checked.ts'
import { openDatabase } from './open-database.ts'
import { say } from './say.ts'
import { type Command, readDatabase, readRecords } from './settings.ts'

/** Writes a configuration and the type of the database. */
export async function ejectConfig(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const { out } = command.flags
  filesToEject(out)
  const database = readDatabase(command, env)
  const file = await loadConfig(command.flags.config)
  const source = await openDatabase(database, env)
  try {
    const schema = await source.describe()
    const corrections = await correctionsOf(
      readRecords(command, env, file?.config),
      correctedDatabase(source, schema),
    )
    const isNamed = command.database !== undefined
    for (const name of eject(schema, { out, database, isNamed, corrections }))
      say(`Written: ${name}`)
  } finally {
    await source.close()
  }
}

/** What administrators have corrected, where Tablewire has run on these records. */
async function correctionsOf(
  records: ReturnType<typeof readRecords>,
  database: string,
): Promise<readonly Correction[]> {
  if (records.metadata === undefined && !existsSync(recordsFile(records.dataFolder))) return []
  const metadata = await openRecords({ ...records, now: Date.now, log: say })
  try {
    return await storedCorrections(metadata, database)
  } finally {
    await metadata.close()
  }
}

/** Writes the type of the database alone. */
export async function ejectTypes(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const file = await loadConfig(command.flags.config)
  const schema = await describeDatabase(readDatabase(command, env, file?.config), env)
  say(`Written: ${writeTypes(schema, command.flags.out)}`)
}
