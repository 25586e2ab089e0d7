/** A person's preferences for the look, and the tables they opened last. */

import * as v from 'valibot'
import type { Preferences as Stored } from '../../database/metadata/preferences.ts'
import type { Preferences } from '../../protocol/page.ts'

/** Tables kept as recently opened. */
const RECENT_MAX = 5

const schema = v.object({
  theme: v.fallback(v.picklist(['light', 'dark', 'system']), 'system'),
  density: v.fallback(v.picklist(['compact', 'comfortable', 'relaxed']), 'comfortable'),
  railCollapsed: v.fallback(v.boolean(), false),
  recent: v.fallback(v.array(v.string()), []),
})

/** Name and value of one preference, as the browser sends it. */
export const preferenceSchema = v.union([
  v.strictTuple([v.literal('theme'), v.picklist(['light', 'dark', 'system'])]),
  v.strictTuple([v.literal('density'), v.picklist(['compact', 'comfortable', 'relaxed'])]),
  v.strictTuple([v.literal('railCollapsed'), v.boolean()]),
])

/** Used for anonymous visitors. */
export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  density: 'comfortable',
  railCollapsed: false,
}

export type ReadPreferences = Preferences & { recent: readonly string[] }

/** Replaces stored values that are no longer valid with the default. */
export async function readPreferences(store: Stored, userId: string): Promise<ReadPreferences> {
  return v.parse(schema, {
    theme: null,
    density: null,
    railCollapsed: null,
    recent: null,
    ...(await store.all(userId)),
  })
}

/** Puts a table first among those opened last; writes nothing if it is first already. */
export async function rememberTable(store: Stored, userId: string, table: string): Promise<void> {
  const { recent } = await readPreferences(store, userId)
  if (recent[0] === table) return
  await store.set(
    userId,
    'recent',
    [table, ...recent.filter((name) => name !== table)].slice(0, RECENT_MAX),
  )
}
