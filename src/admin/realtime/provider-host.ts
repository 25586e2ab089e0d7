/** A hosted provider, or another server of the protocol, as the host of an admin's events. */

import { isUserId } from '../../realtime/channels.ts'
import { openProvider, type ProviderCall } from '../../realtime/provider.ts'
import type { Actor } from '../../server/actor.ts'
import type { SignIn } from '../sign-in/visitors.ts'
import type { ChannelRules } from './channel-rules.ts'
import type { PageWritten } from './change-watch.ts'
import type { EventHost } from './event-host.ts'
import { Grants } from './grants.ts'
import { addressOf, hostOf, type ProviderSetting } from './realtime-settings.ts'
import { repeat } from './repeat.ts'
import { TABLES, tellChanged } from './table-channel.ts'

export type ProviderHostParts = {
  readonly rules: ChannelRules
  readonly stillSignedIn: SignIn['stillSignedIn']
  /** A copy of the actor for one round of questions. */
  readonly inPassing: (actor: Actor) => Actor
  readonly now: () => number
  readonly log: ((line: string, error?: unknown) => void) | undefined
}

/** How often rights are looked at again, and how often the server is asked who is there, ms. */
const REVIEW_MS = 2000
const POLL_MS = 10_000
/** The server may not list a channel yet that somebody may join since this time, ms. */
const JOINING_MS = 20_000
/** Sockets whose person is remembered. */
const SOCKETS = 20_000

/** What the log says of a server that answers, but refuses something. */
const REFUSED: Readonly<Record<ProviderCall, string>> = {
  publish: 'refuses live events: until it takes them, they are lost',
  channels: 'does not say who is on a channel: some lists may not hear of changes',
  terminate:
    'does not end connections: whoever loses a right still hears that something has changed, until they leave',
}

export async function providerHost(
  setting: ProviderSetting,
  { rules, stillSignedIn, inPassing, now, log }: ProviderHostParts,
): Promise<EventHost> {
  const { app, place } = setting
  /** Occupied channels as the server listed them last, and those that somebody may join since. */
  let occupied: ReadonlySet<string> = new Set()
  const joined = new Map<string, number>()
  const persons = new Map<string, string>()
  const grants = new Grants()
  let heard: (write: PageWritten) => void = () => {}

  const provider = await openProvider({
    ...{ app, place },
    report: (error) =>
      log?.(`${hostOf(setting)} does not take live events: until it does, they are lost.`, error),
    refused: (call, error) => log?.(`${hostOf(setting)} ${REFUSED[call]}.`, error),
    back: () => tellChanged(provider.publish, watched()),
  })

  const watched = (): readonly string[] =>
    [...new Set([...occupied, ...joined.keys()])].filter((name) => name.startsWith(TABLES))

  async function poll(): Promise<void> {
    const since = now() - JOINING_MS
    const beginnings = grants.hasOthersThan(TABLES) ? ['private-', 'presence-'] : [TABLES]
    const lists = await Promise.all(beginnings.map(provider.channels))
    if (lists.includes(undefined)) return
    occupied = new Set(lists.flatMap((names) => names ?? []))
    for (const [name, at] of joined) if (at < since) joined.delete(name)
    grants.forgetEmpty(occupied, since)
  }

  const { terminate } = provider
  const report = (error: unknown) => log?.('Live events failed.', error)
  const stops = [
    repeat(poll, POLL_MS),
    repeat(
      () => grants.review({ rules, stillSignedIn, inPassing, terminate, report }).catch(report),
      REVIEW_MS,
    ),
  ]

  return {
    app,
    address: addressOf(setting),
    publish: provider.publish,
    publishHere: provider.publish,
    watched,
    // The server does not say whose a socket is: it is theirs who asked first.
    mayUse(socketId, person) {
      // People whose connections the server could not close.
      if (!isUserId(person)) return false
      const owner = persons.get(socketId) ?? person
      persons.delete(socketId)
      persons.set(socketId, owner)
      const [oldest] = persons.keys()
      if (persons.size > SOCKETS && oldest !== undefined) persons.delete(oldest)
      return owner === person
    },
    isSocketOf: (socketId, person) => persons.get(socketId) === person,
    joining(join) {
      joined.set(join.channel, now())
      grants.add(join, now())
    },
    // Every node sees who watches at the server, so whoever has written tells all of them.
    wrote: (write) => heard(write),
    onWrite: (listener) => void (heard = listener),
    // Nodes do not hear of each other: to the others, this one is somebody else.
    log() {},
    onLog() {},
    async close() {
      for (const stop of stops) stop()
      await provider.close()
    },
  }
}
