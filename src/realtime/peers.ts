/** The other nodes of the application: what this node tells them, and what it accepts from them. */

import type { Bus } from './bus.ts'
import type { BusSeal } from './bus-seal.ts'
import { type Clock, every } from './clock.ts'
import type { Delivery, Withdrawal } from './hub.ts'
import { type Envelope, type BusMessage, readMessage, writeMessage } from './bus-message.ts'
import type { NodeRoom, Rooms } from './rooms.ts'

export type PeerOptions = {
  readonly node: string
  readonly bus: Bus
  readonly seal: BusSeal
  readonly clock: Clock
  readonly rooms: Rooms
  /** An event of another node. */
  deliver(event: Delivery): void
  withdraw(withdrawal: Withdrawal): void
  terminate(user: string): void
  /** Events may have been missed. */
  missed(): void
}

type Peer = {
  /** Number of its message that was heard last. */
  number: number
  heardAt: number
  /** When it was asked for all that it knows; 0 if nothing is missing. */
  askedAt: number
  /** Number of the last message before those that are missing, if any had been heard. */
  missingAfter: number | undefined
  /** The parts of its answer so far. */
  parts: NodeRoom[] | undefined
}

/** How often a node says that it is there, and after how long a silence it counts as gone, ms. */
export const ALIVE_MS = 1000
export const GONE_MS = 4000
/** How far a node's clock may be from ours; older messages may be a repetition, ms. */
const SKEW_MS = 60_000
/** A question whose answer does not come is asked again after this time, ms. */
const ASK_AGAIN_MS = 2000
const ROOMS_PER_PART = 50
/** Ended rights that wait for a bus that is away, and that are told again to whoever has missed them. */
const HELD = 1000

export class Peers {
  readonly #options: PeerOptions
  readonly #peers = new Map<string, Peer>()
  readonly #stop: () => void
  readonly #held: BusMessage[] = []
  /** The ended rights that were told last, by the number of their message. */
  #ended: { readonly number: number; readonly message: BusMessage }[] = []
  /** The last numbers of nodes that are gone, so that nobody repeats what they said. */
  readonly #gone = new Map<string, { number: number; at: number }>()
  #number = 0
  /** The lowest number that anyone now waiting for an answer last heard of us; `undefined` while nobody waits. */
  #askedAfter: number | undefined
  /** Texts of the bus that were not genuine, and messages that could not be sent. */
  refused = 0
  unsent = 0

  constructor(options: PeerOptions) {
    this.#options = options
    const { bus, clock } = options
    bus.open({ heard: (text) => this.#hear(text), back: () => this.#back() })
    this.#stop = every(clock, ALIVE_MS, () => this.#beat())
    this.send({ kind: 'alive' })
  }

  get size(): number {
    return this.#peers.size
  }

  /** Whether this node, and no other, speaks for all: the one with the lowest name. */
  get isFirst(): boolean {
    return [...this.#peers.keys()].every((node) => this.#options.node < node)
  }

  /** Counts even if it is not sent, so that the others notice that something is missing. */
  send(message: BusMessage): void {
    const { bus, seal, node, clock } = this.#options
    const text = writeMessage({ node, number: ++this.#number, at: clock.now(), message })
    if (!bus.send(seal.seal('news', text))) this.unsent++
  }

  /** For the end of a right: sent once the bus is back if it is away now. */
  sendSurely(message: BusMessage): void {
    if (this.#options.bus.isUp()) return this.#sendEnded(message)
    if (this.#held.length < HELD) this.#held.push(message)
    else this.unsent++
  }

  #sendEnded(message: BusMessage): void {
    this.send(message)
    this.#ended.push({ number: this.#number, message })
    if (this.#ended.length > HELD) this.#ended.shift()
  }

  async close(): Promise<void> {
    this.#stop()
    this.send({ kind: 'end' })
    await this.#options.bus.close()
  }

  #beat(): void {
    const { bus, clock } = this.#options
    this.send({ kind: 'alive' })
    for (const [node, { heardAt }] of [...this.#peers])
      if (clock.now() - heardAt >= GONE_MS) this.#forget(node)
    // While the bus is away, nobody can be heard: those who are gone may well be there.
    if (!bus.isUp()) return
    for (const [node, { at }] of this.#gone)
      if (clock.now() - at > 2 * SKEW_MS) this.#gone.delete(node)
  }

  #back(): void {
    const { clock, missed } = this.#options
    for (const peer of this.#peers.values()) peer.heardAt = clock.now()
    for (const gone of this.#gone.values()) gone.at = clock.now()
    missed()
    this.send({ kind: 'alive' })
    for (const message of this.#held.splice(0)) this.#sendEnded(message)
  }

  #hear(sealed: string): void {
    const { seal, node: own, clock } = this.#options
    const text = seal.open('news', sealed)
    const read = text === undefined ? undefined : readMessage(text)
    // A bus may bring back what this node has said.
    if (read?.node === own) return
    const isGenuine = read && Math.abs(clock.now() - read.at) <= SKEW_MS
    const peer = isGenuine ? this.#peers.get(read.node) : undefined
    // A message that was heard before is a repetition by somebody else.
    const last = isGenuine ? (peer ?? this.#gone.get(read.node))?.number : undefined
    if (!isGenuine || (last !== undefined && read.number <= last)) return void this.refused++
    this.#take(read, last, peer ?? this.#meet(read.node, read.number))
  }

  #meet(node: string, number: number): Peer {
    const met = { heardAt: 0, askedAt: 0, missingAfter: undefined, parts: undefined }
    const peer = { ...met, number: number === 1 ? 0 : -1 }
    this.#peers.set(node, peer)
    // A node that has just begun hears of this one at once.
    if (number === 1) this.send({ kind: 'alive' })
    return peer
  }

  #take({ node, number, message }: Envelope, last: number | undefined, peer: Peer): void {
    const isNext = number === peer.number + 1
    peer.number = number
    peer.heardAt = this.#options.clock.now()
    if (!isNext) {
      peer.missingAfter ??= last
      this.#ask(node, peer)
    } else if (peer.askedAt > 0 && peer.heardAt - peer.askedAt > ASK_AGAIN_MS) this.#ask(node, peer)
    this.#apply(node, message, peer)
  }

  #ask(node: string, peer: Peer): void {
    peer.parts = undefined
    const { clock, missed } = this.#options
    if (peer.askedAt > 0 && clock.now() - peer.askedAt <= ASK_AGAIN_MS) return
    peer.askedAt = clock.now()
    missed()
    const { missingAfter: after } = peer
    this.send({ kind: 'ask', node, ...(after !== undefined && { after }) })
  }

  #apply(node: string, message: BusMessage, peer: Peer): void {
    const { rooms, deliver, withdraw, terminate } = this.#options
    switch (message.kind) {
      case 'event':
        return deliver(message.event)
      case 'change':
        return rooms.apply(node, message.change)
      case 'ask':
        return message.node === this.#options.node ? this.#answerSoon(message.after) : undefined
      case 'state':
        return this.#collect(node, message, peer)
      case 'end':
        return this.#forget(node)
      case 'withdraw':
        return withdraw(message.withdrawal)
      case 'terminate':
        return terminate(message.user)
      case 'alive':
    }
  }

  /**
   * Those who ask at once are answered together: told again which rights have ended meanwhile, and then
   * all that this node knows. Whoever has just begun has missed nothing.
   */
  #answerSoon(after = Infinity): void {
    const isAsked = this.#askedAfter !== undefined
    this.#askedAfter = Math.min(after, this.#askedAfter ?? Infinity)
    if (isAsked) return
    this.#options.clock.later(() => {
      const from = this.#askedAfter ?? Infinity
      this.#askedAfter = undefined
      const missed = this.#ended.filter(({ number }) => number > from)
      this.#ended = this.#ended.filter(({ number }) => number <= from)
      for (const { message } of missed) this.#sendEnded(message)
      const all = this.#options.rooms.here()
      for (let at = 0; at === 0 || at < all.length; at += ROOMS_PER_PART) {
        const rooms = all
          .slice(at, at + ROOMS_PER_PART)
          .map((room) => ({ ...room, members: [...room.members] }))
        const isLast = at + ROOMS_PER_PART >= all.length
        this.send({ kind: 'state', isFirst: at === 0, isLast, rooms })
      }
    }, 0)
  }

  /** An answer comes without messages between its parts; one with a gap is not used. */
  #collect(node: string, part: Extract<BusMessage, { kind: 'state' }>, peer: Peer): void {
    if (part.isFirst) peer.parts = []
    peer.parts?.push(...part.rooms)
    if (!part.isLast || !peer.parts) return
    this.#options.rooms.replace(node, peer.parts)
    peer.parts = undefined
    peer.askedAt = 0
    peer.missingAfter = undefined
  }

  #forget(node: string): void {
    const number = this.#peers.get(node)?.number ?? 0
    this.#gone.set(node, { number, at: this.#options.clock.now() })
    this.#peers.delete(node)
    this.#options.rooms.replace(node, [])
  }
}
