/** Which images of rows an actor may know of: those of rows that they may see now. */

import type { Actor } from '../../server/actor.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { RowImage } from '../source/ledger-entry.ts'
import type { Values } from '../source/write-unit.ts'
import { keyName, readRows, type RowReader } from './read-rows.ts'

export type SeenImage = {
  readonly image: RowImage
  readonly open: OpenTable
  /** The whole row as it is now, which must not be shown; `undefined` if it is gone. */
  readonly current: Values | undefined
}

/**
 * A row that is gone may be told of only where the grant hides no row: nobody can say any more whether it
 * would have been hidden.
 */
export async function seenImages(
  source: RowReader,
  catalog: Catalog,
  actor: Actor,
  images: readonly RowImage[],
): Promise<readonly SeenImage[]> {
  const tables = Map.groupBy(images, ({ table }) => table)
  const seen = await Promise.all(
    [...tables].map(async ([table, ofTable]) => {
      const open = catalog.find(actor, table)
      if (!open) return []
      const { access } = open
      const keys = ofTable.map(({ key }) => key)
      const rows = await readRows(source, access.ofAllColumns(), keys)
      return ofTable.flatMap((image): SeenImage[] => {
        const current = rows.get(keyName(image.key))
        return current || access.seesAllRows ? [{ image, open, current }] : []
      })
    }),
  )
  return seen.flat()
}
