/** Keeps the catalog current: makes a new one when the tables of the database, or their corrections, have changed. */

import type { Policy } from './source/access.ts'
import { type Catalog, type CatalogOptions, type Corrections, createCatalog } from './catalog.ts'
import { type Previewed, withPreviewed } from './previewed.ts'
import type { RowSource } from './source/row-source.ts'

export type LiveCatalog = {
  current(): Catalog
  /**
   * Checks from time to time whether tables have changed. Never fails: if the database does not
   * answer, or the declarations no longer fit it, the catalog stays. Settles after a moment at the
   * latest; returns `undefined` if no check is due.
   */
  refresh(): Promise<void> | undefined
  /** Makes a catalog with other corrections. Throws where the database or the declarations allow none. */
  correct(corrections: Corrections): Promise<void>
  /** A catalog as the current one, with these corrections of a table as well. It stays beside that. */
  preview(table: string, parts: readonly Previewed[]): Promise<Catalog>
}

/** Shortest time between two checks, ms. */
const CHECK_INTERVAL_MS = 250
/** Longest time that a request waits for a check, ms: reading changed tables takes a while. */
const MAX_WAIT_MS = 2000

/** Previews that are kept: those of a few people who correct tables at once. */
const PREVIEWS_MAX = 4

export type LiveCatalogOptions = CatalogOptions & {
  readonly now: () => number
  /** Called with the error if no catalog can be made of the changed tables. */
  readonly report: (error: unknown) => void
}

/** Throws as `createCatalog` does. */
export async function createLiveCatalog(
  source: RowSource,
  policy: Policy,
  { now, report, ...options }: LiveCatalogOptions,
): Promise<LiveCatalog> {
  let { corrections } = options
  let catalog = await createCatalog(source, policy, options)
  let rejected: unknown
  let checkedAt = now()
  let checking: Promise<void> | undefined

  async function check(): Promise<void> {
    const schema = await source.describe().catch(() => catalog.described)
    if (schema === catalog.described || schema === rejected) return
    try {
      await remake()
    } catch (error) {
      // Ignoring a declaration that no longer fits could reveal a column that it hides.
      rejected = schema
      report(error)
    }
  }

  /** Of two that are made at once, the one that has the newest corrections stays. */
  async function remake(): Promise<void> {
    const used = corrections
    const made = await createCatalog(source, policy, {
      ...options,
      corrections: used,
      version: catalog.version + 1,
    })
    if (used === corrections) catalog = made
    else await remake()
  }

  /** Each is asked for several times: for the list, its count and its pages. */
  const previews = new Map<string, Promise<Catalog>>()

  function preview(table: string, parts: readonly Previewed[]): Promise<Catalog> {
    const { version, corrected } = catalog
    const key = JSON.stringify([version, corrected.version, table, parts])
    const made =
      previews.get(key) ??
      createCatalog(source, policy, {
        ...{ ...options, version, like: { catalog, table } },
        corrections: {
          version: key,
          corrections: withPreviewed(corrected.corrections, table, parts),
        },
        // Mistakes in the policy are told for the current one.
        warn: () => undefined,
      })
    // The one that was asked for last stays longest.
    previews.delete(key)
    previews.set(key, made)
    made.catch(() => previews.delete(key))
    const [oldest] = previews.keys()
    if (oldest !== undefined && previews.size > PREVIEWS_MAX) previews.delete(oldest)
    return made
  }

  return {
    preview,
    current: () => catalog,
    correct(changed) {
      corrections = changed
      return remake()
    },
    refresh() {
      const at = now()
      if (!checking) {
        if (at >= checkedAt && at - checkedAt < CHECK_INTERVAL_MS) return undefined
        checkedAt = at
        checking = check().finally(() => (checking = undefined))
      }
      return within(checking, MAX_WAIT_MS)
    },
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
