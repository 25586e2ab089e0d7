/** The connections in use, and how people share them. */

/** The person of the server's own work. */
export const SERVER = ''

type Work = {
  readonly person: string
  /** Gives the connection up, to begin again later. Absent where the work cannot, or already does. */
  yield?: (() => void) | undefined
}

export class BusyConnections<Connection extends object> {
  /** The newest last. */
  readonly #works = new Map<Connection, Work>()
  readonly #share: number

  /** `size`: the most connections that all people may have. */
  constructor(size: number) {
    this.#share = Math.max(2, Math.ceil(size / 2))
  }

  get size(): number {
    return this.#works.size
  }

  connections(): Iterable<Connection> {
    return this.#works.keys()
  }

  add(connection: Connection, person: string): void {
    this.#works.set(connection, { person })
  }

  delete(connection: Connection): void {
    this.#works.delete(connection)
  }

  /** Lets the work on a connection make room for another person's, until `keep`. */
  offer(connection: Connection, giveUp: () => void): void {
    const work = this.#works.get(connection)
    if (work) work.yield = giveUp
  }

  keep(connection: Connection): void {
    const work = this.#works.get(connection)
    if (work) work.yield = undefined
  }

  /** Whether this person may have another connection: nobody has more than half of them, or two. */
  hasShare(person: string): boolean {
    return this.loadOf(person) < this.#share
  }

  /** How many connections work for this person; the server's own work goes before all. */
  loadOf(person: string): number {
    if (person === SERVER) return -1
    let load = 0
    for (const work of this.#works.values()) if (work.person === person) load++
    return load
  }

  /** For a person without a connection, ends the newest work of whoever has the most, if several. */
  makeRoom(person: string): void {
    if (this.loadOf(person) > 0) return
    const works = new Map<string, Work[]>()
    for (const work of this.#works.values())
      if (work.yield) works.set(work.person, [...(works.get(work.person) ?? []), work])
    works.delete(SERVER)
    const [most = []] = [...works.values()].toSorted((a, b) => b.length - a.length)
    const newest = most.at(-1)
    if (most.length < 2 || !newest?.yield) return
    newest.yield()
    newest.yield = undefined
  }
}
