/** Chance from a seed: the same seed makes the same choices, in the same order. */

export type Chance = {
  /** A number from 0 to 1, 1 excluded. */
  next(): number
  /** Whether something happens that happens with this probability. */
  happens(probability: number): boolean
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** The generator is mulberry32, which is quick and even enough for choices. */
export function chanceOf(seed: number): Chance {
  let state = seed | 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    happens: (probability) => next() < probability,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    // The place is below the length.
    pick: (items) => items[Math.floor(next() * items.length)]!,
  }
}
