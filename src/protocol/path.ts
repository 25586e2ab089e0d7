/** Dotted paths into plain JSON: reading and writing. */

import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** Keys that lead to a prototype; no path may contain one. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** The segments of a dotted path, or `undefined` where it is empty or names a forbidden key. */
export function parsePath(path: string): [string, ...string[]] | undefined {
  const [first = '', ...rest] = path.split('.')
  const sound = [first, ...rest].every((segment) => segment !== '' && !FORBIDDEN.has(segment))
  return sound ? [first, ...rest] : undefined
}

/** The value at a path, or `undefined` where there is none. */
export function getPath(root: Json, segments: readonly string[]): Json | undefined {
  let at: Json | undefined = root
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined
    // An array has its items by their numbers, too.
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

/** Whether the property at `inner` is the one at `outer`, or a part of it. */
export const isAround = (outer: string, inner: string): boolean =>
  `${inner}.`.startsWith(`${outer}.`)
