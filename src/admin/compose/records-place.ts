/** Where Tablewire keeps its own records, and what it says before it makes tables there. */

import { join } from 'node:path'
import { type Metadata, openMetadata } from '../../database/metadata/metadata.ts'
import type { OwnPlace } from '../../table/source/own-tables.ts'

export type RecordsOptions = {
  readonly dataFolder: string
  /** `beside`, an address, or left out, as in `AdminOptions`. */
  readonly metadata?: string | undefined
  /** The database of the data, for `beside`; left out if it can hold no such tables. */
  readonly beside?: Pick<OwnPlace, 'address' | 'environment'> | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  readonly log?: ((line: string) => void) | undefined
}

/** The file of Tablewire's own records in its data folder. */
const recordsFile = (dataFolder: string): string => join(dataFolder, 'meta.sqlite')

/** Opens the records where the operator wants them. Throws one plain sentence. */
export async function openRecords(options: RecordsOptions): Promise<Metadata> {
  const { dataFolder, metadata, beside, env, now, log } = options
  if (!metadata) return openMetadata(recordsFile(dataFolder), { now })
  const only = metadata === 'beside' ? 'no other table is changed, ' : ''
  const creating = (place: string) =>
    log?.(
      `Tablewire creates its own tables in ${place}, as metadata says: for accounts, sessions, sign-in links, roles, preferences, settings and answered writes. Their names begin with tablewire_, ${only}and no list shows them.`,
    )
  if (metadata !== 'beside') return openMetadata(metadata, { now, environment: env, creating })
  if (!beside)
    throw new Error(
      'Tablewire cannot keep its records beside this data. Leave `metadata` out, or give it an address.',
    )
  const { address, environment } = beside
  return openMetadata(address, { now, environment, isBeside: true, creating })
}
