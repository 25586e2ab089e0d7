/** Converts what a component's code returns to JSON, and names what JSON cannot hold. */

import { type Json, parseJson } from '../../protocol/json.ts'

/** `source` names where the value comes from, such as `its action [add]`. */
export function toJsonText(component: string, source: string, value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(
      `Component [${component}]: ${source} returned something that JSON cannot express (${reason}). Return strings, numbers, booleans, null, lists and plain objects; make a bigint a string.`,
      { cause },
    )
  }
}

/**
 * What the browser makes of `text`, the JSON of `value`: the value itself if JSON keeps it as it is,
 * which is several times faster to find out than to parse.
 */
export const afterJson = (value: unknown, text: string): Json =>
  isJson(value) ? value : parseJson(text)

/** Whether a value comes out of JSON as it went in. */
function isJson(value: unknown): value is Json {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null) return true
  const isArray = Array.isArray(value)
  const plain = isArray ? Array.prototype : Object.prototype
  // JSON would drop its class, or `toJSON` would write something else.
  if (Object.getPrototypeOf(value) !== plain || 'toJSON' in value) return false
  // Not `every`, which passes over the holes of an array. Most items are texts, told without a call.
  for (const item of isArray ? value : Object.values(value))
    if (typeof item !== 'string' && item !== null && !isJson(item)) return false
  return true
}
