/** Plain JSON: the only kind of value that crosses the wire. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

/** Whatever a JSON text holds is JSON. Throws `SyntaxError`. */
export const parseJson = (text: string): Json => JSON.parse(text)

/** Whether a JSON value is an object, neither null nor an array. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two JSON values are equal, whatever the order of their keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  )
}

/**
 * `next`, except that parts of `before` that are equal take its place, so that whoever compares by
 * identity sees what has changed. `before` itself where nothing has.
 */
export function keepSame(before: JsonObject, next: JsonObject): JsonObject
export function keepSame(before: Json, next: Json): Json
export function keepSame(before: Json, next: Json): Json {
  if (before === next) return before
  if (Array.isArray(before) && Array.isArray(next)) {
    const items = next.map((item, at) => keepSame(before[at] ?? null, item))
    const isSame = items.length === before.length && items.every((item, at) => item === before[at])
    return isSame ? before : items
  }
  if (!isJsonObject(before) || !isJsonObject(next)) return next
  const entries = Object.entries(next).map(([key, value]) => {
    const old = Object.hasOwn(before, key) ? before[key] : undefined
    return [key, old === undefined ? value : keepSame(old, value)] as const
  })
  const isSame =
    entries.length === Object.keys(before).length &&
    entries.every(([key, value]) => Object.hasOwn(before, key) && before[key] === value)
  return isSame ? before : Object.fromEntries(entries)
}
