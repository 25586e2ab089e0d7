/** What carries an admin's events to browsers: its own server, or another one. */

import type { FastifyRequest } from 'fastify'
import type { RealtimeAddress } from '../../protocol/channels.ts'
import type { RealtimeApp } from '../../realtime/signatures.ts'
import type { Publication } from '../../realtime/realtime-server.ts'
import type { KnownWrite } from '../../table/source/write-log.ts'
import type { PageWritten } from './change-watch.ts'

/** A person who may join a channel, and the request that asked for them. */
export type Join = {
  readonly channel: string
  readonly person: string
  /** Session that the request belongs to. */
  readonly lineage: string
  readonly request: FastifyRequest
}

export type EventHost = {
  /** Whose secret signs who may join. */
  readonly app: RealtimeApp
  readonly address: Pick<RealtimeAddress, 'host' | 'cluster' | 'path'>
  /** Sends an event to everybody on its channels. */
  publish(publication: Publication): void
  /** Sends what each node finds out for itself: to its own sockets, where it knows which those are. */
  publishHere(publication: Publication): void
  /** Channels of tables that somebody is on. */
  watched(): readonly string[]
  /** Whether the socket is the person's; asked before they may join on it. */
  mayUse(socketId: string, person: string): boolean
  /** Whether an event may be kept from a socket at this person's wish. */
  isSocketOf(socketId: string, person: string): boolean
  /** Called when somebody may join a channel, before they do. */
  joining(join: Join): void
  /** Tells all nodes that rows were written here, and by which page. */
  wrote(write: PageWritten): void
  /** Hears on every node that rows were written on one. */
  onWrite(heard: (write: PageWritten) => void): void
  /** Adds to the logs of the other nodes what was written here, where there are any. */
  log(write: KnownWrite): void
  /** Hears what was written on another node. */
  onLog(heard: (write: KnownWrite) => void): void
  close(): Promise<void>
}
