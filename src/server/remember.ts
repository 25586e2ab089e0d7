/** Remembers what a pure function answered, within a bound. */

/** `fn`, asked once for each argument as long as there are not more than `limit` different ones. */
export function remember<Key, Result>(
  limit: number,
  fn: (key: Key) => Result,
): (key: Key) => Result {
  const known = new Map<Key, Result>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const result = fn(key)
    if (known.size >= limit) known.clear()
    known.set(key, result)
    return result
  }
}
