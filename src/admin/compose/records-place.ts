/** Where Tablewire keeps its own records, and what it says before it makes tables there. */

import { join } from 'node:path'
import {
  type Metadata,
  type MetadataOptions,
  openMetadata,
} from '../../database/metadata/metadata.ts'
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

export type RecordsPlace = MetadataOptions & {
  readonly address: string
  readonly isBeside: boolean
}

/** The file of Tablewire's own records in its data folder. */
export const recordsFile = (dataFolder: string): string => join(dataFolder, 'meta.sqlite')

/** Where the operator wants the records, and how they are opened there. Throws one plain sentence. */
export function recordsPlace(options: RecordsOptions): RecordsPlace {
  const { dataFolder, metadata, beside, env, now, log } = options
  if (!metadata) return { address: recordsFile(dataFolder), isBeside: false, now }
  const only = metadata === 'beside' ? 'no other table is changed, ' : ''
  const creating = (place: string) =>
    log?.(
      `Tablewire creates its own tables in ${place}, as metadata says: for accounts, second factors, sessions, sign-in links, roles, preferences, settings, corrections of tables, answered writes, uploads, jobs and the history of changes. Their names begin with tablewire_, ${only}and no list shows them.`,
    )
  if (metadata !== 'beside')
    return { address: metadata, isBeside: false, now, environment: env, creating }
  if (!beside)
    throw new Error(
      'Tablewire cannot keep its records beside this data. Leave `metadata` out, or give it an address.',
    )
  const { address, environment } = beside
  return { address, environment, now, isBeside: true, creating }
}

export async function openRecords(options: RecordsOptions): Promise<Metadata> {
  const { address, ...how } = recordsPlace(options)
  return openMetadata(address, how)
}
