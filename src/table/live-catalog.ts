/** The catalog as the database is now: made anew when its tables have changed. */

import type { Policy } from './source/access.ts'
import { type Catalog, type CatalogOptions, createCatalog } from './catalog.ts'
import type { RowSource } from './source/row-source.ts'

export type LiveCatalog = {
  current(): Catalog
  /**
   * Looks whether tables have changed, now and then. It never fails: where the database cannot be
   * asked, or what is declared no longer fits it, what was known stays. Waits a moment at most, and
   * not at all where it is `undefined`.
   */
  refresh(): Promise<void> | undefined
}

/** How often a look is taken, ms. */
const LOOK_MS = 500
/** Longest time that a request waits for it, ms: tables that have changed take a while to read. */
const PATIENCE_MS = 2000

export type LiveCatalogOptions = CatalogOptions & {
  readonly now: () => number
  /** Told why the catalog could not follow its database. */
  readonly report: (error: unknown) => void
}

/** Throws as `createCatalog` does. */
export async function createLiveCatalog(
  source: RowSource,
  policy: Policy,
  { now, report, ...options }: LiveCatalogOptions,
): Promise<LiveCatalog> {
  let catalog = await createCatalog(source, policy, options)
  let refused: unknown
  let lookedAt = now()
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const schema = await source.describe().catch(() => catalog.schema)
    if (schema === catalog.schema || schema === refused) return
    try {
      catalog = await createCatalog(source, policy, { ...options, version: catalog.version + 1 })
    } catch (error) {
      // Nothing of what is declared is left out by itself: it may be what hides a column.
      refused = schema
      report(error)
    }
  }

  return {
    current: () => catalog,
    refresh() {
      const at = now()
      if (!looking) {
        if (at >= lookedAt && at - lookedAt < LOOK_MS) return undefined
        lookedAt = at
        looking = look().finally(() => (looking = undefined))
      }
      return within(looking, PATIENCE_MS)
    },
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
