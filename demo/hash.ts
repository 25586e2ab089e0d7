/** An integer hash instead of random numbers, so that every build of the demo is the same. */

/**
 * Spreads `id` over the unsigned 32-bit integers; another `salt` gives an unrelated number.
 * These are the constants of the reference measurements: change one and their row counts change.
 */
export function hash(id: number, salt: number): number {
  let x = Math.imul(id, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}

/** The hash as a fraction from 0 up to, not including, 1. */
export function fraction(id: number, salt: number): number {
  return hash(id, salt) / 2 ** 32
}

/** True for about `percent` of the ids. */
export function chance(percent: number, id: number, salt: number): boolean {
  return hash(id, salt) % 100 < percent
}

/** The item at `at`, modulo the length of the list. */
export function pick<T>(list: readonly T[], at: number): T {
  const item = list[at % list.length]
  if (item === undefined) throw new RangeError('There is nothing to pick from')
  return item
}

/** A list to pick from, with each name repeated by its weight. */
export function slots<Name extends string>(weights: Record<Name, number>): Name[] {
  const names = Object.keys(weights) as Name[]
  return names.flatMap((name) => Array<Name>(weights[name]).fill(name))
}
