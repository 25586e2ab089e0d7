/** Dotted paths into plain JSON: reading, writing, and the difference between two states. */

import { isJsonObject, type Json, type JsonObject, sameJson } from './json.ts'

/** Names that must never be walked through, whatever object they are asked of. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** The segments of a dotted path, or `undefined` where it is empty or names a forbidden key. */
export function parsePath(path: string): string[] | undefined {
  const segments = path.split('.')
  const sound = segments.every((segment) => segment !== '' && !FORBIDDEN.has(segment))
  return sound ? segments : undefined
}

/** The value at a path, or `undefined` where there is none. */
export function getPath(root: Json, segments: readonly string[]): Json | undefined {
  let at: Json | undefined = root
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined
    at = (at as JsonObject)[segment]
  }
  return at
}

/** A copy of `root` with `value` at the path; missing objects on the way are made. */
export function withPath(root: Json | undefined, segments: readonly string[], value: Json): Json {
  const [head, ...rest] = segments
  if (head === undefined) return value
  if (Array.isArray(root)) {
    const copy = [...root]
    copy[Number(head)] = withPath(copy[Number(head)], rest, value)
    return copy
  }
  const object = isJsonObject(root) ? root : {}
  return { ...object, [head]: withPath(object[head], rest, value) }
}

/**
 * What has to be written over `from` to get `to`, as the fewest whole values by dotted path.
 * Only objects are walked into: an array that differs is sent whole, so that removing an
 * element needs no marker in the data.
 */
export function diff(from: JsonObject, to: JsonObject, prefix = ''): { [path: string]: Json } {
  const changes: { [path: string]: Json } = {}
  for (const [key, value] of Object.entries(to)) {
    const before = from[key]
    if (sameJson(before, value)) continue
    const path = prefix + key
    const nested =
      isJsonObject(before) && isJsonObject(value) && hasAllKeys(value, before) && !key.includes('.')
    if (nested) Object.assign(changes, diff(before, value, `${path}.`))
    else changes[path] = value
  }
  return changes
}

const hasAllKeys = (object: JsonObject, keys: JsonObject) =>
  Object.keys(keys).every((key) => Object.hasOwn(object, key))
