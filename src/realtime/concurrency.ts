/** Bounds concurrency: works on many items, a few of them at a time. */

/** Few enough that a database has room for others meanwhile. */
const AT_ONCE = 4

/** Runs `work` on each item, four at a time; items are taken when their turn comes. */
export async function concurrently<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]()
  async function run(): Promise<void> {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}
