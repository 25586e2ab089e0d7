/** Makes patches between two JSON values, and applies them, so that only changes are sent. */

import { isJsonObject, type Json, type JsonObject, sameJson } from './json.ts'

/** Items of the older array, or newer ones. */
type Items = readonly [first: number, count: number] | { readonly new: readonly Json[] }

/**
 * How to make the newer value of the older one: `to` is the newer value itself, `of` lists what an array
 * is made of, and `in` holds patches of an object's members, of which `out` names those that are gone.
 */
export type Patch =
  | { readonly to: Json }
  | { readonly of: readonly Items[] }
  | { readonly in: { readonly [member: string]: Patch }; readonly out?: readonly string[] }

/** `null` where nothing has changed. */
export function patchOf(before: Json, after: Json): Patch | null {
  if (sameJson(before, after)) return null
  if (Array.isArray(before) && Array.isArray(after)) return { of: itemsOf(before, after) }
  if (isJsonObject(before) && isJsonObject(after)) return patchOfMembers(before, after)
  return { to: after }
}

function patchOfMembers(before: JsonObject, after: JsonObject): Patch {
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    const patch: Patch | null = old === undefined ? { to: value } : patchOf(old, value)
    return patch ? [[name, patch] as const] : []
  })
  const out = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return { in: Object.fromEntries(changed), ...(out.length > 0 && { out }) }
}

function itemsOf(before: readonly Json[], after: readonly Json[]): Items[] {
  const places = new Map<string, number>()
  // Of equal items, the first.
  for (const [at, item] of [...before.entries()].reverse()) places.set(JSON.stringify(item), at)
  const items: Items[] = []
  let run: [first: number, count: number] | null = null
  let added: Json[] | null = null
  for (const item of after) {
    const next: number = run ? run[0] + run[1] : -1
    const at: number | undefined = sameJson(before[next], item)
      ? next
      : places.get(JSON.stringify(item))
    if (at === undefined) {
      if (!added) items.push({ new: (added = []) })
      added.push(item)
      run = null
    } else if (run && at === next) run[1]++
    else {
      items.push((run = [at, 1]))
      added = null
    }
  }
  return items
}

/** The newer value. What has not changed is the same object as in the older one. */
export function applyPatch(before: Json, patch: Patch): Json {
  if ('to' in patch) return patch.to
  if ('of' in patch) {
    if (!Array.isArray(before)) throw new TypeError('The patch is of another value.')
    return patch.of.flatMap((items): readonly Json[] =>
      'new' in items ? items.new : before.slice(items[0], items[0] + items[1]),
    )
  }
  if (!isJsonObject(before)) throw new TypeError('The patch is of another value.')
  const kept = Object.entries(before).filter(([name]) => !patch.out?.includes(name))
  const changed = Object.entries(patch.in).map(
    ([name, inner]) => [name, applyPatch(before[name] ?? null, inner)] as const,
  )
  // Not by assignment, which a member named `__proto__` would turn into something else.
  return Object.fromEntries([...kept, ...changed])
}
