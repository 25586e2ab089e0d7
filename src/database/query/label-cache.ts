/** Labels of related rows, cached until something in the database changes. */

import type { Grant } from '../../table/source/access.ts'
import type { RelatedLabel } from '../../table/source/row-source.ts'

/** Labels kept for one relation and one grant. */
const KEPT = 20_000

/** Labels, as `PageRow` has them, by the text of the value that refers to them. */
export type CachedLabels = Map<string, string | null | undefined>

/**
 * Pages refer to the same rows again and again. Labels are cached by grant, so that nobody sees a label
 * that was read under another grant, and by version of the data.
 */
export class LabelCache {
  #version: string | undefined
  #byGrant = new WeakMap<Grant, Map<string, CachedLabels>>()

  /** A relation's cached labels for this `version` of the data. */
  of({ access, references, label, more }: RelatedLabel, version: string): CachedLabels {
    if (version !== this.#version) {
      this.#byGrant = new WeakMap()
      this.#version = version
    }
    const relations = getOr(this.#byGrant, access.grant, () => new Map<string, CachedLabels>())
    const name = JSON.stringify([access.table.name, references, label, more])
    const cached = getOr(relations, name, () => new Map())
    if (cached.size <= KEPT) return cached
    // Replaced, not cleared: a page under way may still need the labels in the old map.
    const emptied: CachedLabels = new Map()
    relations.set(name, emptied)
    return emptied
  }
}

type Mapping<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

function getOr<Key, Value>(map: Mapping<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
