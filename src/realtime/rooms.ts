/** Who is on which channel: the sockets of this node, and what other nodes say of theirs. */

import type { Channel } from './channels.ts'
import type { Connection, Member } from './connection.ts'
import { LIMITS } from './limits.ts'
import { SubscriptionError } from './protocol-error.ts'

/** What happens to a channel, on whichever node. */
export type RoomEvents = {
  occupied(channel: string): void
  vacated(channel: string): void
  /** A user's first socket came; `socket` is that one if it is of this node. */
  joined(channel: string, member: Member, socket?: Connection): void
  /** A user's last socket went. */
  left(channel: string, member: Member): void
  counted(channel: string): void
  /** What other nodes have to know of this one. */
  changedHere(change: RoomChange): void
}

/** A change on one node: how many sockets a channel has there, and who came or went. */
export type RoomChange = {
  readonly channel: string
  readonly count: number
  readonly joined?: Member
  readonly left?: Member
}

type Presence = {
  readonly member: Member
  readonly sockets: Set<Connection>
  readonly nodes: Set<string>
}

type Room = {
  readonly sockets: Set<Connection>
  /** How many sockets other nodes have. */
  readonly nodes: Map<string, number>
  readonly members: Map<string, Presence>
}

const NOBODY: ReadonlySet<Connection> = new Set()

export class Rooms {
  readonly #rooms = new Map<string, Room>()
  readonly #events: RoomEvents

  constructor(events: RoomEvents) {
    this.#events = events
  }

  get size(): number {
    return this.#rooms.size
  }

  /** The sockets of this node. */
  socketsOf(channel: string): ReadonlySet<Connection> {
    return this.#rooms.get(channel)?.sockets ?? NOBODY
  }

  /** How many sockets all nodes have. */
  countOf(channel: string): number {
    const room = this.#rooms.get(channel)
    return room ? countIn(room) : 0
  }

  membersOf(channel: string): Member[] {
    return [...(this.#rooms.get(channel)?.members.values() ?? [])].map(({ member }) => member)
  }

  names(): Iterable<string> {
    return this.#rooms.keys()
  }

  /** Throws `SubscriptionError` if the channel has as many members as it may have. */
  enter({ name }: Channel, socket: Connection, member: Member | undefined): void {
    const room = this.#roomOf(name)
    if (member && !room.members.has(member.id) && room.members.size >= LIMITS.members)
      throw new SubscriptionError(403, 'The channel has as many members as it may have.')
    const isFirst = countIn(room) === 0
    room.sockets.add(socket)
    socket.channels.set(name, member)
    if (isFirst) this.#events.occupied(name)
    const isFirstHere = member && this.#addSocket(name, room, member, socket)
    this.#events.changedHere({
      channel: name,
      count: room.sockets.size,
      ...(isFirstHere && { joined: member }),
    })
    this.#events.counted(name)
  }

  /** Returns whether the socket was on the channel. */
  leave(name: string, socket: Connection): boolean {
    const room = this.#rooms.get(name)
    if (!room?.sockets.delete(socket)) return false
    const member = socket.channels.get(name)
    socket.channels.delete(name)
    const presence = member && room.members.get(member.id)
    presence?.sockets.delete(socket)
    const isLastHere = presence?.sockets.size === 0
    this.#events.changedHere({
      channel: name,
      count: room.sockets.size,
      ...(isLastHere && member && { left: member }),
    })
    if (presence) this.#removeIfGone(name, room, presence)
    this.#removeIfEmpty(name, room)
    this.#events.counted(name)
    return true
  }

  /** Applies what another node says of itself. */
  apply(node: string, { channel, count, joined, left }: RoomChange): void {
    const room = this.#roomOf(channel)
    const before = countIn(room)
    if (count > 0) room.nodes.set(node, count)
    else room.nodes.delete(node)
    if (before === 0 && count > 0) this.#events.occupied(channel)
    if (joined && count > 0) this.#addNode(channel, room, joined, node)
    const presence = left && room.members.get(left.id)
    presence?.nodes.delete(node)
    if (presence) this.#removeIfGone(channel, room, presence)
    if (count === 0) this.#forgetMembers(channel, room, node)
    if (before > 0) this.#removeIfEmpty(channel, room)
    else if (count === 0) this.#rooms.delete(channel)
    if (countIn(room) !== before) this.#events.counted(channel)
  }

  /** Replaces all that is known of another node. */
  replace(node: string, all: readonly NodeRoom[]): void {
    const stay = new Map(all.map((one) => [one.channel, one]))
    for (const { channel, count, members } of all) {
      this.apply(node, { channel, count })
      for (const joined of members) this.apply(node, { channel, count, joined })
    }
    for (const [channel, room] of [...this.#rooms]) {
      const now = stay.get(channel)
      if (!now && room.nodes.has(node)) this.apply(node, { channel, count: 0 })
      const ids = new Set(now?.members.map(({ id }) => id))
      for (const { member, nodes } of [...room.members.values()])
        if (now && nodes.has(node) && !ids.has(member.id))
          this.apply(node, { channel, count: now.count, left: member })
    }
  }

  /** All that this node has to tell another. */
  here(): NodeRoom[] {
    return [...this.#rooms]
      .filter(([, { sockets }]) => sockets.size > 0)
      .map(([channel, { sockets, members }]) => ({
        channel,
        count: sockets.size,
        members: [...members.values()]
          .filter((presence) => presence.sockets.size > 0)
          .map(({ member }) => member),
      }))
  }

  #roomOf(name: string): Room {
    let room = this.#rooms.get(name)
    if (!room) {
      room = { sockets: new Set(), nodes: new Map(), members: new Map() }
      this.#rooms.set(name, room)
    }
    return room
  }

  /** Returns whether this is the user's first socket on this node. */
  #addSocket(name: string, { members }: Room, member: Member, socket: Connection): boolean {
    const presence = members.get(member.id)
    if (presence) {
      presence.sockets.add(socket)
      return presence.sockets.size === 1
    }
    members.set(member.id, { member, sockets: new Set([socket]), nodes: new Set() })
    this.#events.joined(name, member, socket)
    return true
  }

  #addNode(name: string, { members }: Room, member: Member, node: string): void {
    const presence = members.get(member.id)
    if (presence) return void presence.nodes.add(node)
    members.set(member.id, { member, sockets: new Set(), nodes: new Set([node]) })
    this.#events.joined(name, member)
  }

  #removeIfGone(name: string, { members }: Room, { member, sockets, nodes }: Presence): void {
    if (sockets.size + nodes.size > 0 || !members.delete(member.id)) return
    this.#events.left(name, member)
  }

  #forgetMembers(name: string, room: Room, node: string): void {
    for (const presence of [...room.members.values()])
      if (presence.nodes.delete(node)) this.#removeIfGone(name, room, presence)
  }

  #removeIfEmpty(name: string, room: Room): void {
    if (countIn(room) > 0) return
    this.#rooms.delete(name)
    this.#events.vacated(name)
  }
}

/** A channel of one node, whole. */
export type NodeRoom = {
  readonly channel: string
  readonly count: number
  readonly members: readonly Member[]
}

function countIn({ sockets, nodes }: Room): number {
  let count = sockets.size
  for (const others of nodes.values()) count += others
  return count
}
