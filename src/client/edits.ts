/** Edits by dotted path: what a person changed and the server has not confirmed. */

import { isJsonObject, type Json, type JsonObject, sameJson } from '../protocol/json.ts'
import { getPath, parsePath, withPath } from '../protocol/path.ts'

/** Latest value by path. No path stands inside another one. */
export type Edits = ReadonlyMap<string, Json>

export const noEdits: Edits = new Map()

/** `edits` with one more. It replaces those inside it, and goes into one that it stands inside. */
export function addEdit(edits: Edits, path: string, value: Json): Edits {
  for (const [outer, whole] of edits)
    if (path.startsWith(`${outer}.`))
      return new Map(edits).set(
        outer,
        withPath(whole, path.slice(outer.length + 1).split('.'), value),
      )
  const next = new Map([...edits].filter(([other]) => !other.startsWith(`${path}.`)))
  return next.set(path, value)
}

/** The edits of `later` over those of `earlier`. */
export const mergeEdits = (earlier: Edits, later: Edits): Edits =>
  [...later].reduce((edits, [path, value]) => addEdit(edits, path, value), earlier)

/** What the data look like with the edits made. */
export const applyEdits = (data: JsonObject, edits: Edits): JsonObject =>
  [...edits].reduce((at, [path, value]) => {
    const segments = parsePath(path)
    const next = segments ? withPath(at, segments, value) : at
    return isJsonObject(next) ? next : at
  }, data)

/** The edits without those that say what the data say already. */
export const withoutEchoes = (edits: Edits, data: JsonObject): Edits =>
  new Map([...edits].filter(([path, value]) => !sameJson(getPath(data, path.split('.')), value)))
