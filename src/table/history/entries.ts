/** The entries that a reader may know of, the newest first. */

import type { Actor } from '../../server/actor.ts'
import type { Catalog } from '../catalog.ts'
import type { Entry, EntryQuery, Ledger } from '../changes/ledger.ts'
import { type SeenImage, seenImages } from '../changes/seen-images.ts'
import type { RowImage } from '../source/ledger-entry.ts'
import type { RowSource } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'
import type { Told } from './describe.ts'

export type HistoryServices = {
  readonly source: RowSource
  catalog(): Catalog
  readonly ledger: Ledger
}

/** Entries that one question goes through at most: most of them may be about rows that are hidden. */
const LOOKED_THROUGH = 400
/** Most images of an entry that are looked at. */
const IMAGES_MAX = 200

export type FoundEntries = {
  readonly told: readonly Told[]
  /** Where the older ones begin; absent if there are none. */
  readonly older?: { readonly at: number; readonly id: string }
}

/** As many entries as `size` of the query says, about rows that the actor may see now. */
export async function findEntries(
  services: HistoryServices,
  actor: Actor,
  query: EntryQuery,
): Promise<FoundEntries> {
  const { size } = query
  const told: Told[] = []
  let after = query.after
  for (let looked = 0; looked < LOOKED_THROUGH;) {
    const entries = await services.ledger.list({
      ...query,
      size: size + 1,
      ...(after && { after }),
    })
    for (const entry of entries) {
      if (told.length === size) return { told, ...(after && { older: after }) }
      const one = await tellOf(services, actor, entry, query)
      if (one) told.push(one)
      after = { at: entry.at, id: entry.id }
      looked++
    }
    if (entries.length <= size) return { told }
  }
  return { told, ...(after && { older: after }) }
}

/** `undefined` if the actor may not know of it. */
export async function tellOf(
  { source, catalog, ledger }: HistoryServices,
  actor: Actor,
  entry: Entry,
  { table, key }: { readonly table?: string; readonly key?: KeyValues } = {},
): Promise<Told | undefined> {
  const images: RowImage[] = []
  let isAll = true
  const about = table !== undefined && key !== undefined ? { table, key } : {}
  for await (const chunk of ledger.images(entry.id, about)) {
    images.push(...chunk.slice(0, IMAGES_MAX - images.length))
    isAll = isAll && images.length < IMAGES_MAX
    if (!isAll) break
  }
  const seen: readonly SeenImage[] = await seenImages(source, catalog(), actor, images)
  return seen.length > 0 ? { entry, seen, isAll } : undefined
}
