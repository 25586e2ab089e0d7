/** The limits of a realtime server, and the times that the specification leaves open. */

import { CHANNEL_NAME_MAX } from '../protocol/channels.ts'

/** Limits of the protocol; clients and server libraries know them. */
export const LIMITS = {
  /** Of channels and events, characters. */
  nameLength: CHANNEL_NAME_MAX,
  userIdLength: 128,
  /** Data of one event, bytes. */
  dataBytes: 10_240,
  members: 100,
  /** What a presence channel knows of one member, as JSON, bytes. */
  memberBytes: 1024,
  channelsPerEvent: 100,
  eventsPerBatch: 10,
  clientEventsPerSecond: 10,
  /** How far the time of a signed request may be from the server's, ms. */
  requestAgeMs: 600_000,
  /** How long a cache channel keeps its last event, ms. */
  cacheMs: 30 * 60_000,
} as const

/** Limits that protect a server; its operator may change them. */
export type ServerLimits = {
  /** Sockets in all; a further one is closed with 4100. */
  readonly connections: number
  readonly connectionsPerPerson: number
  /** Sockets of one address or IPv6 network whose person is not known. */
  readonly connectionsPerNetwork: number
  readonly channelsPerConnection: number
  /** Channels that keep an event; past them the oldest is forgotten. */
  readonly cachedChannels: number
  /** Unsent bytes of one socket; a socket with more is dropped. */
  readonly outboxBytes: number
  /** One message of a client, bytes. */
  readonly messageBytes: number
  /** Messages of one socket at once, and again in every ten seconds. */
  readonly messages: number
}

export const SERVER_LIMITS: ServerLimits = {
  connections: 20_000,
  connectionsPerPerson: 20,
  connectionsPerNetwork: 500,
  channelsPerConnection: 100,
  cachedChannels: 1000,
  outboxBytes: 256 * 1024,
  // Data of 10 kB whose characters are all escaped as six.
  messageBytes: 64 * 1024,
  // More than twice as many as channels, so that a page can come back with all of them.
  messages: 300,
}
