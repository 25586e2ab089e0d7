/** Opens the data of a place with its history, and the door through which a test changes rows. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../../src/cli/open-database.ts'
import { openLedger } from '../../src/database/ledger/open-ledger.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import type { Definitions } from '../../src/table/definition/define-table.ts'
import { createChangeDoor } from '../../src/table/changes/door.ts'
import { entryId } from '../../src/table/changes/entry-id.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import { anything } from '../kills/jars.ts'
import type { MetadataPlace } from './metadata-places.ts'

type Options = {
  /** Whether the history is kept beside the data. */
  readonly isBeside: boolean
  /** Stands in for the source. */
  readonly wrap?: (source: RowSource) => RowSource
  /** Options of tables. */
  readonly definitions?: Definitions
  /** Default: everybody may do anything. */
  readonly policy?: Policy
}

/** The tables must be there already. */
export async function openChanges(
  place: MetadataPlace,
  { isBeside, wrap = (source) => source, definitions = {}, policy = anything }: Options,
) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tablewire-changes-'))
  const source = wrap(await openDatabase(place.address))
  await source.writing?.allow(true)
  // Entries are listed in the order in which they were begun.
  let time = 0
  const now = () => (time = Math.max(time + 1, Date.now()))
  const newId = () => entryId(now(), randomBytes(10))
  const ledger = await openLedger({
    ...{ source, dataFolder, now, newId, isBeside, keptDays: 90, definitions },
    metadata: isBeside ? place.address : join(dataFolder, 'meta.sqlite'),
  })
  if (!ledger) throw new Error('The source keeps no entries.')
  onTestFinished(async () => {
    await source.close()
    await ledger.close()
    rmSync(dataFolder, { recursive: true })
  })
  const catalog = await createCatalog(source, policy, { definitions })
  const door = createChangeDoor({ source, catalog: () => catalog, ledger, now, newId })
  return { source, catalog, ledger, door, dataFolder }
}

/** Where the history is kept, for `test.each`. */
export const HISTORIES = [
  ['apart', false],
  ['beside the data', true],
] as const
