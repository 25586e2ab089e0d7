/** Edits by dotted path: what a person changed and the server has not confirmed. */

import { isJsonObject, type Json, type JsonObject, sameJson } from '../protocol/json.ts'
import { getPath, parsePath, withPath } from '../protocol/path.ts'

/** Latest value by path. No path lies inside another one. */
export type Edits = ReadonlyMap<string, Json>

export const noEdits: Edits = new Map()

/** `edits` with one more. It replaces edits inside it, and becomes a part of an edit around it. */
export function addEdit(edits: Edits, path: string, value: Json): Edits {
  for (const [outer, outerValue] of edits)
    if (path.startsWith(`${outer}.`))
      return new Map(edits).set(
        outer,
        withPath(outerValue, path.slice(outer.length + 1).split('.'), value),
      )
  const next = new Map([...edits].filter(([other]) => !other.startsWith(`${path}.`)))
  return next.set(path, value)
}

/** Both edits; where they overlap, `later` wins. */
export const mergeEdits = (earlier: Edits, later: Edits): Edits =>
  [...later].reduce((edits, [path, value]) => addEdit(edits, path, value), earlier)

/** The data with the edits applied. */
export const applyEdits = (data: JsonObject, edits: Edits): JsonObject =>
  [...edits].reduce((at, [path, value]) => {
    const segments = parsePath(path)
    const next = segments ? withPath(at, segments, value) : at
    return isJsonObject(next) ? next : at
  }, data)

/** The edits without those whose value the data already have. */
export const withoutEchoes = (edits: Edits, data: JsonObject): Edits =>
  new Map([...edits].filter(([path, value]) => !sameJson(getPath(data, path.split('.')), value)))
