/** Labels of related rows, kept as long as nothing in the database has changed. */

import type { Grant } from '../../table/source/access.ts'
import type { RelatedLabel } from '../../table/source/row-source.ts'

/** Labels kept for one relation and one grant. */
const KEPT = 20_000

/** Labels, as `PageRow` has them, by the text of the value that refers to them. */
export type KnownLabels = Map<string, string | null | undefined>

/**
 * Pages repeat the rows that they refer to. What is kept belongs to a grant, so nobody is shown a
 * label that was read in another one's name, and to a state of the data.
 */
export class LabelCache {
  #version: string | undefined
  #known = new WeakMap<Grant, Map<string, KnownLabels>>()

  /** What is known of a relation while the data are at `version`. */
  of({ access, references, label }: RelatedLabel, version: string): KnownLabels {
    if (version !== this.#version) {
      this.#known = new WeakMap()
      this.#version = version
    }
    const relations = getOr(this.#known, access.grant, () => new Map<string, KnownLabels>())
    const name = JSON.stringify([access.table.name, references, label])
    const known = getOr(relations, name, () => new Map())
    if (known.size <= KEPT) return known
    // Another one in its place: a page that is being made may still need what is in this one.
    const emptied: KnownLabels = new Map()
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
