/** Memoizes a pure function, within a bound. */

/** Caches the results of `fn`; the cache is emptied when it holds `limit` of them. */
export function memoize<Key, Result>(
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
