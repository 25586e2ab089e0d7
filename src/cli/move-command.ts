/** `tablewire move`: copies Tablewire's own records from the data folder to where `--metadata` says. */

import { join } from 'node:path'
import { recordsFile, recordsPlace } from '../admin/compose/records-place.ts'
import { JOB_MIGRATIONS } from '../database/jobs/migrations.ts'
import { LEDGER_MIGRATIONS } from '../database/ledger/migrations.ts'
import { ledgerAddress } from '../database/ledger/open-ledger.ts'
import { MIGRATIONS } from '../database/metadata/migrations.ts'
import { moveRecords } from '../database/metadata/move.ts'
import { engineAt } from '../database/metadata/store.ts'
import { loadConfig } from './config-file.ts'
import { messageOf } from './errors.ts'
import { findServer } from './running-server.ts'
import { say } from './say.ts'
import { type Command, readDatabase, readRecords, SettingsError } from './settings.ts'

/** Throws `SettingsError` where nothing was moved. */
export async function moveCommand(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const file = await loadConfig(command.flags.config)
  const records = readRecords(command, env, file?.config)
  const { dataFolder, metadata } = records
  if (metadata === undefined)
    throw new SettingsError('Say where to with --metadata: beside, or the address of a database.')
  if (await findServer(dataFolder))
    throw new SettingsError(
      `Tablewire runs on the data folder [${dataFolder}]. Stop it first, so that nothing is written meanwhile.`,
    )
  const from = recordsFile(dataFolder)
  const target = recordsPlace({ ...records, now: Date.now, log: say })
  const files = [{ file: from, lists: [MIGRATIONS, JOB_MIGRATIONS] }]
  const isFile = engineAt(readDatabase(command, env, file?.config)) === 'sqlite'
  const ledger = ledgerAddress({ ...target, metadata: target.address, dataFolder }, isFile)
  // With a file of data and records elsewhere, its history stays in a file.
  if (ledger === target.address)
    files.push({ file: join(dataFolder, 'ledger.sqlite'), lists: [LEDGER_MIGRATIONS] })
  const { rows, place } = await moveRecords(files, target).catch((cause: unknown) => {
    throw new SettingsError(`Nothing was moved: ${messageOf(cause)}`, { cause })
  })
  say(`Copied: ${rows} records from ${from} to ${place}`)
  say(
    metadata === 'beside'
      ? 'From now on, start Tablewire with --metadata beside, or TABLEWIRE_METADATA=beside.'
      : 'From now on, start Tablewire with the same --metadata, or with it in TABLEWIRE_METADATA.',
  )
  say(
    'The secret stays in the data folder. The files are as they were: remove them once all is well.',
  )
}
