/** Short digests of what rows hold, by which it is noticed later that they hold something else. */

import type { KeyValues, Value } from './value.ts'

/** Keys of rows, and of each row a digest of some of its columns. */
export type DigestedRows = {
  readonly keys: readonly KeyValues[]
  /** In the order of the keys; `null` where no column is compared. */
  readonly digests: readonly number[] | null
  /** Of rows of a plan: which are so already, so that they are compared and not written. Absent: none. */
  readonly so?: readonly boolean[]
}

/** Those of the rows from one place to before another. */
export const slicedRows = (
  { keys, digests, so }: DigestedRows,
  from: number,
  to?: number,
): DigestedRows => ({
  ...{ keys: keys.slice(from, to), digests: digests && digests.slice(from, to) },
  ...(so && { so: so.slice(from, to) }),
})

/** Those of the rows whose places are taken. */
export function rowsWhere(
  { keys, digests, so }: DigestedRows,
  isTaken: (at: number) => boolean,
): DigestedRows {
  const those = <T>(list: readonly T[]): readonly T[] => list.filter((_, at) => isTaken(at))
  return { keys: those(keys), digests: digests && those(digests), ...(so && { so: those(so) }) }
}

/** Two odd factors, whose products differ in all bits. */
const [FIRST, SECOND] = [0x9e3779b1, 0x85ebca6b]
/** No text has such a code. */
const [END, NULL, BYTES] = [0x10000, 0x10001, 0x10002]

/**
 * 53 bits, which are as good as chance and no secret: whoever wants to may find other values with the same ones. They are
 * the same for a number and a bigint of the same value, and for 0 and -0, which not every connection tells apart.
 */
export function rowDigest(values: readonly Value[]): number {
  let [one, other] = [0x811c9dc5, 0x2545f491]
  const add = (code: number): void => {
    one = Math.imul(one ^ code, FIRST)
    one ^= one >>> 15
    other = Math.imul(other ^ code, SECOND)
    other ^= other >>> 13
  }
  for (const value of values) {
    if (value === null) add(NULL)
    else if (value instanceof Uint8Array) {
      add(BYTES)
      for (const byte of value) add(byte)
    } else {
      const text = String(value)
      for (let at = 0; at < text.length; at++) add(text.charCodeAt(at))
    }
    add(END)
  }
  return (other >>> 11) * 2 ** 32 + (one >>> 0)
}
