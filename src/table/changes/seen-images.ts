/** Which images of rows an actor may know of: those of rows that they may see now. */

import type { Actor } from '../../server/actor.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { RowImage } from '../source/ledger-entry.ts'
import type { Values } from '../source/write-unit.ts'
import type { Entry } from './ledger.ts'
import { keyName, readRows, type RowReader } from './read-rows.ts'
import type { RowLives } from './row-lives.ts'

export type SeenImage = {
  readonly image: RowImage
  readonly open: OpenTable
  /** The whole row as it is now, which must not be shown; `undefined` if it is gone. */
  readonly current: Values | undefined
}

export type ImageReader = {
  readonly source: RowReader
  readonly lives: RowLives
  readonly catalog: Catalog
}

/**
 * A row that is gone may be told of only where the grant hides no row: nobody can say any more whether it
 * would have been hidden. A row that has its key now says nothing of it.
 */
export async function seenImages(
  { source, lives, catalog }: ImageReader,
  actor: Actor,
  { entry, images }: { readonly entry: Entry; readonly images: readonly RowImage[] },
): Promise<readonly SeenImage[]> {
  const tables = Map.groupBy(images, ({ table }) => table)
  const seen = await Promise.all(
    [...tables].map(async ([table, ofTable]) => {
      const open = catalog.find(actor, table)
      if (!open) return []
      const { access } = open
      const keys = ofTable.map(({ key }) => key)
      const rows = await readRows(source, access.ofAllColumns(), keys)
      // Whoever has changed a row has seen it.
      const isKnown = access.seesAllRows || entry.by.id === actor.id
      const present = isKnown ? null : await lives.ofPresentRows(entry, table, ofTable)
      return ofTable.flatMap((image): SeenImage[] => {
        const current = rows.get(keyName(image.key))
        const isShown = current !== undefined && (present?.has(image) ?? true)
        return isShown || access.seesAllRows ? [{ image, open, current }] : []
      })
    }),
  )
  return seen.flat()
}
