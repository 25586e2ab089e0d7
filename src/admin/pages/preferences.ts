/** A person's preferences for the look, and the tables they opened last. */

import * as v from 'valibot'
import type { Preferences as Stored } from '../../database/metadata/preferences.ts'
import type { Preferences } from '../../protocol/page.ts'
import type { Actor } from '../../server/actor.ts'

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

/** Each request has an actor object of its own, and reads them several times. */
const readFor = new WeakMap<Actor, Promise<ReadPreferences>>()

/** Replaces stored values that are no longer valid with the default. */
export function readPreferences(store: Stored, actor: Actor): Promise<ReadPreferences> {
  const known = readFor.get(actor) ?? read(store, actor)
  readFor.set(actor, known)
  return known
}

async function read(store: Stored, { id }: Actor): Promise<ReadPreferences> {
  return v.parse(schema, {
    theme: null,
    density: null,
    railCollapsed: null,
    recent: null,
    ...(await store.all(id)),
  })
}

/** Stores one preference. */
export async function setPreference(
  store: Stored,
  actor: Actor,
  [name, value]: v.InferOutput<typeof preferenceSchema> | readonly ['recent', string[]],
): Promise<void> {
  await store.set(actor.id, name, value)
  readFor.delete(actor)
}

/** Puts a table first among those opened last; writes nothing if it is first already. */
export async function rememberTable(store: Stored, actor: Actor, table: string): Promise<void> {
  const { recent } = await readPreferences(store, actor)
  if (recent[0] === table) return
  const tables = [table, ...recent.filter((name) => name !== table)].slice(0, RECENT_MAX)
  await setPreference(store, actor, ['recent', tables])
}
