/** Assigns whole numbers to rows in a new order, so that as many rows as possible keep theirs. */

/** A limit of the values: either a row's value, or none, with values at this step from the last one. */
export type Bound = { readonly at: bigint } | { readonly step: bigint }

/**
 * Ascending values, strictly between the bounds, for rows that now have `values`; `undefined` if there
 * is no room. Rows can keep their values if value − place never decreases, because then a whole number
 * is free for each row between them.
 */
export function assignValues(
  values: readonly (bigint | undefined)[],
  low: Bound,
  high: Bound,
): readonly bigint[] | undefined {
  const size = BigInt(values.length)
  const least = 'at' in low ? low.at + 1n : undefined
  const most = 'at' in high ? high.at - size : undefined
  if (least !== undefined && most !== undefined && most < least) return undefined
  const spare = values.map((value, i) => (value === undefined ? undefined : value - BigInt(i)))
  const canStay = (one: bigint): boolean =>
    (least === undefined || one >= least) && (most === undefined || one <= most)
  return fillGaps(values, longestRise(spare, canStay), low, high)
}

type Link = { readonly value: bigint; readonly place: number; readonly before: Link | undefined }

/** Places of the longest nondecreasing subsequence of the wanted values. */
function longestRise(
  list: readonly (bigint | undefined)[],
  isWanted: (one: bigint) => boolean,
): number[] {
  /** The least value that ends a subsequence of each length. */
  const ends: Link[] = []
  for (const [place, value] of list.entries()) {
    if (value === undefined || !isWanted(value)) continue
    const length = lengthBefore(ends, value)
    ends[length] = { value, place, before: ends[length - 1] }
  }
  const found: number[] = []
  for (let link = ends.at(-1); link; link = link.before) found.push(link.place)
  return found.toReversed()
}

/** The length of the longest subsequence that the value can extend. */
function lengthBefore(ends: readonly Link[], value: bigint): number {
  let [from, to] = [0, ends.length]
  while (from < to) {
    const middle = (from + to) >> 1
    // Less than `to`, so within the list.
    if (ends[middle]!.value <= value) from = middle + 1
    else to = middle
  }
  return from
}

/** Rows that cannot keep their values share the room between those that do. */
function fillGaps(
  values: readonly (bigint | undefined)[],
  kept: readonly number[],
  low: Bound,
  high: Bound,
): bigint[] {
  const filled: bigint[] = []
  let from: Bound = low
  for (const place of [...kept, values.length]) {
    const value = values[place]
    const to: Bound = value === undefined ? high : { at: value }
    filled.push(...between(from, to, place - filled.length))
    if (value === undefined) break
    filled.push(value)
    from = to
  }
  return filled
}

function between(low: Bound, high: Bound, count: number): bigint[] {
  const places = Array.from({ length: count }, (_, i) => BigInt(i + 1))
  const size = BigInt(count + 1)
  if ('step' in high) {
    const from = 'at' in low ? low.at : 0n
    return places.map((place) => from + high.step * place)
  }
  if ('step' in low) return places.map((place) => high.at - low.step * (size - place))
  return places.map((place) => low.at + ((high.at - low.at) * place) / size)
}
