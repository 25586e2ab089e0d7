/** A person's preferences for the look, for what they read and for their tables, and those they opened last. */

import * as v from 'valibot'
import type { Preferences as Stored } from '../../database/metadata/preferences.ts'
import { languages } from '../../messages/messages.ts'
import type { Json } from '../../protocol/json.ts'
import type { Preferences } from '../../protocol/page.ts'
import type { Actor } from '../../server/actor.ts'
import { isZone } from '../../server/http/locale.ts'
import type { TableLayouts } from '../../table/list/concern.ts'

/** Tables kept as recently opened. */
const RECENT_MAX = 5

export const THEMES = ['system', 'light', 'dark'] as const
export const DENSITIES = ['compact', 'comfortable', 'relaxed'] as const

const zone = v.pipe(v.string(), v.check(isZone))
const language = v.picklist(languages)

const schema = v.object({
  theme: v.fallback(v.picklist(THEMES), 'system'),
  density: v.fallback(v.picklist(DENSITIES), 'comfortable'),
  railCollapsed: v.fallback(v.boolean(), false),
  recent: v.fallback(v.array(v.string()), []),
  timeZone: v.fallback(v.nullable(zone), null),
  language: v.fallback(v.nullable(language), null),
})

/** What somebody chooses on the page of their account; empty where the browser decides. */
export const lookSchema = v.object({
  theme: v.picklist(THEMES),
  density: v.picklist(DENSITIES),
  timeZone: v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => null),
    ),
    zone,
  ]),
  language: v.optional(
    v.union([
      v.pipe(
        v.literal(''),
        v.transform(() => null),
      ),
      language,
    ]),
    '',
  ),
})

/** Name and value of one preference, as the browser sends it. */
export const preferenceSchema = v.union([
  v.strictTuple([v.literal('theme'), v.picklist(THEMES)]),
  v.strictTuple([v.literal('density'), v.picklist(DENSITIES)]),
  v.strictTuple([v.literal('railCollapsed'), v.boolean()]),
])

/** Used for anonymous visitors. */
export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  density: 'comfortable',
  railCollapsed: false,
}

/** What the person reads in; `null` where the browser decides. */
export type ChosenReader = { readonly timeZone: string | null; readonly language: string | null }

export type ReadPreferences = Preferences &
  ChosenReader & {
    recent: readonly string[]
    /** All of them as they are stored, by name. */
    stored: { readonly [name: string]: Json }
  }

/** Each request has an actor object of its own, and reads them several times. */
const readFor = new WeakMap<Actor, Promise<ReadPreferences>>()

/** Replaces stored values that are no longer valid with the default. */
export function readPreferences(store: Stored, actor: Actor): Promise<ReadPreferences> {
  const known = readFor.get(actor) ?? read(store, actor)
  readFor.set(actor, known)
  return known
}

async function read(store: Stored, { id }: Actor): Promise<ReadPreferences> {
  const stored = await store.all(id)
  const known = v.parse(schema, {
    theme: null,
    density: null,
    railCollapsed: null,
    recent: null,
    timeZone: null,
    language: null,
    ...stored,
  })
  return { ...known, stored }
}

/** The columns of a table as the person has arranged them. */
export const tableLayouts = (store: Stored): TableLayouts => ({
  async read(actor, table) {
    return (await readPreferences(store, actor)).stored[layoutName(table)]
  },
  async write(actor, table, layout) {
    if (!actor.isLooking) await keepPreference(store, actor, layoutName(table), layout)
  },
})

const layoutName = (table: string): string => `layout ${table}`

/** Stores one preference of those whose names are not fixed, or removes it for `null`. */
export async function keepPreference(
  store: Stored,
  actor: Actor,
  name: string,
  value: Json,
): Promise<void> {
  if (value === null) await store.remove(actor.id, name)
  else await store.set(actor.id, name, value)
  readFor.delete(actor)
}

/** Stores one preference. */
export async function setPreference(
  store: Stored,
  actor: Actor,
  [name, value]:
    | v.InferOutput<typeof preferenceSchema>
    | readonly ['recent', string[]]
    | readonly ['timeZone' | 'language', string | null],
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
