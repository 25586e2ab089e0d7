/** Finds the places of rows in a list of keys. */

import type { KeyValues } from '../source/value.ts'
import { keyName } from './read-rows.ts'

/** -1 for a row that is not there. Rows mostly come in the order of the keys: then nobody looks for them. */
export function placesIn(keys: readonly KeyValues[]): (key: KeyValues) => number {
  let next = 0
  let places: ReadonlyMap<string, number> | undefined
  return (key) => {
    const wanted = keys[next]
    const isNext = wanted !== undefined && key.every((part, at) => Object.is(part, wanted[at]))
    places ??= isNext ? undefined : new Map(keys.map((one, at) => [keyName(one), at]))
    const at = isNext ? next : (places?.get(keyName(key)) ?? -1)
    if (at >= 0) next = at + 1
    return at
  }
}
