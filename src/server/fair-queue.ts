/** A queue of everybody's requests in which people take turns, however many requests each has. */

export class FairQueue<Item> {
  /** What each person waits for, in its order. Who is served next comes first. */
  readonly #turns = new Map<string, Set<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many requests of this person wait. */
  countOf(person: string): number {
    return this.#turns.get(person)?.size ?? 0
  }

  add(person: string, item: Item): void {
    const items = this.#turns.get(person) ?? new Set()
    this.#turns.set(person, items.add(item))
    this.#size++
  }

  /** Puts a request before the others of its person. */
  addFirst(person: string, item: Item): void {
    this.#turns.set(person, new Set([item, ...(this.#turns.get(person) ?? [])]))
    this.#size++
  }

  /** Whether the request was still waiting. */
  delete(person: string, item: Item): boolean {
    const items = this.#turns.get(person)
    if (!items?.delete(item)) return false
    if (items.size === 0) this.#turns.delete(person)
    this.#size--
    return true
  }

  /** Takes the first request of the person with the least load; of equals, of the next in turn. */
  next(loadOf: (person: string) => number = () => 0): Item | undefined {
    let chosen: string | undefined
    let least = Infinity
    for (const person of this.#turns.keys()) {
      const load = loadOf(person)
      if (load < least) [chosen, least] = [person, load]
    }
    const items = chosen === undefined ? undefined : this.#turns.get(chosen)
    if (chosen === undefined || !items) return undefined
    // Whoever is served goes to the end.
    this.#turns.delete(chosen)
    this.#turns.set(chosen, items)
    const [first] = items
    if (first !== undefined) this.delete(chosen, first)
    return first
  }

  /** All that wait, whoever for. */
  items(): Item[] {
    return [...this.#turns.values()].flatMap((items) => [...items])
  }

  clear(): void {
    this.#turns.clear()
    this.#size = 0
  }
}
