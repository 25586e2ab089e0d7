/** Finds the parts of a batch whose answers were not ready yet, and how to ask for them. */

import type { ComponentResponse } from '../protocol/wire.ts'

/** Positions in the batch, to be asked for together under the key. */
export type Later = { readonly key: string; readonly places: readonly number[] }

/** What a batch must ask for again. */
export function laterOf(answers: readonly ComponentResponse[]): Later[] {
  const byKey = Map.groupBy(answers.entries(), ([, { effects }]) => effects.later)
  return [...byKey].flatMap(([key, all]) =>
    key === undefined ? [] : [{ key, places: all.map(([place]) => place) }],
  )
}

/** The items at these positions of a batch. */
export const itemsAt = <Item>(items: readonly Item[], places: readonly number[]): Item[] =>
  // The places are positions of items.
  places.map((place) => items[place]!)
