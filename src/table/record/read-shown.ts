/** Reads one row with all that is shown of itself, on its page and where it is peeked at. */

import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Storage } from '../../server/upload/storage.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import { relationLookups } from '../references.ts'
import type { RowSource } from '../source/row-source.ts'
import { type FileSizes, sizesOf } from './file-value.ts'
import { pairedReferences } from './paired.ts'
import { type AskedRow, readRecord, type ReadRow } from './read-row.ts'
import { openForRow } from './row-actions.ts'

type Services = {
  readonly source: RowSource
  catalog(): Catalog
  /** Where files are. Default: nowhere, so that none is found. */
  readonly storage?: Pick<Storage, 'size'>
}

/** A row, what may be done with it, and the sizes of its files. */
export type ShownRow = ReadRow & { readonly open: OpenTable; readonly sizes: FileSizes }

/**
 * `undefined` if there is no such row, or none that the actor may see. `length`: how much of long values is
 * read, characters. Default: a preview.
 */
export async function readShown(
  { source, catalog, storage = NO_STORAGE }: Services,
  { actor, locale, language, timeZone, ...asked }: AskedRow & Reader & { readonly actor: Actor },
  length?: number,
): Promise<ShownRow | undefined> {
  const { opened, signal } = asked
  const relations = relationLookups(catalog(), actor, opened)
  const row = await readRecord(source, asked, { relations, length })
  if (!row) return undefined
  const reader = { locale, language, timeZone }
  const [paired, sizes, open] = await Promise.all([
    pairedReferences(opened, row, { source, tables: catalog().schema.tables, signal, reader }),
    sizesOf(opened, row.values, storage),
    openForRow(source, opened, row.key, { signal }),
  ])
  return { ...row, open, sizes, references: [...row.references, ...paired] }
}

const NO_STORAGE: Pick<Storage, 'size'> = { size: async () => undefined }
