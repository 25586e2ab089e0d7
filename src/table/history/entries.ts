/** The entries that a reader may know of, the newest first. */

import type { Actor } from '../../server/actor.ts'
import type { Catalog } from '../catalog.ts'
import type { Entry, EntryQuery, Ledger } from '../changes/ledger.ts'
import { createRowLives, type RowLives } from '../changes/row-lives.ts'
import { type SeenImage, seenImages } from '../changes/seen-images.ts'
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
/** Most images of an entry that are told, and that are looked at: others may be hidden. */
const IMAGES_MAX = 200
const IMAGES_LOOKED_AT = 600

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
  const lives = createRowLives(services.ledger)
  let after = query.after
  // What lies between those that are told stays untold.
  let older = after
  for (let looked = 0; looked < LOOKED_THROUGH;) {
    const entries = await services.ledger.list({
      ...query,
      size: size + 1,
      ...(after && { after }),
    })
    for (const entry of entries) {
      const one = await tellOf(services, actor, entry, { ...query, lives })
      if (one && told.length === size) return { told, ...(older && { older }) }
      after = { at: entry.at, id: entry.id }
      if (one) told.push(one)
      if (one) older = after
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
  {
    table,
    key,
    lives = createRowLives(ledger),
  }: { readonly table?: string; readonly key?: KeyValues; readonly lives?: RowLives } = {},
): Promise<Told | undefined> {
  const seen: SeenImage[] = []
  let looked = 0
  const about = table !== undefined && key !== undefined ? { table, key } : {}
  for await (const chunk of ledger.images(entry.id, about))
    for (let from = 0; from < chunk.length; from += IMAGES_MAX) {
      if (seen.length >= IMAGES_MAX || looked >= IMAGES_LOOKED_AT) return toldOf(false)
      const some = chunk.slice(from, from + IMAGES_MAX)
      seen.push(
        ...(await seenImages({ source, lives, catalog: catalog() }, actor, {
          entry,
          images: some,
        })),
      )
      looked += some.length
    }
  return toldOf(true)

  /** Of those about a table, the rows of other tables tell nothing. */
  function toldOf(isAll: boolean): Told | undefined {
    const isAbout = seen.some(({ image }) => table === undefined || image.table === table)
    const told = seen.slice(0, IMAGES_MAX)
    return isAbout ? { entry, seen: told, isAll: isAll && told.length === seen.length } : undefined
  }
}
