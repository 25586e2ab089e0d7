/** Who else is on a page's table or record: joins their channels, and asks for the names. */

import type { PersonView, PresenceView } from '../protocol/presence-view.ts'
import type { WatchedAttention } from './attention.ts'
import type { ChannelMember, Presence } from './channel-handlers.ts'
import type { Push } from './create-push.ts'
import { createObservable, type Observable } from './observable.ts'

/** Somebody else who is here. */
export type PresentPerson = {
  readonly id: string
  readonly isIdle: boolean
  readonly person: PersonView
}

export type PresenceOptions = {
  readonly push: Pick<Push, 'listen'>
  readonly channels: PresenceView
  readonly attention: WatchedAttention
  /** The people of sealed names, in the same order. */
  people(sealed: string[]): Promise<readonly PersonView[]>
}

export type JoinedPresence = Pick<
  Observable<readonly PresentPerson[]>,
  'getState' | 'subscribe'
> & {
  /** Leaves the channels. */
  stop(): void
}

/**
 * The page is in the channels of the table and the record until the person has been gone for long, and
 * in the one of those who are awake while they are. What an idle page shows of the others' being idle
 * stays as it was.
 */
export function joinPresence({
  push,
  channels,
  attention,
  people,
}: PresenceOptions): JoinedPresence {
  const present = createObservable<readonly PresentPerson[]>([])
  const known = new Map<string, PersonView | 'asked'>()
  const shown = channels.record ?? channels.table
  let here: Presence | null = null
  let awake: Presence | null = null
  let isOver = false

  const joined = new Map<string, () => void>()
  function setJoined(isIn: boolean, channel: string, members?: (presence: Presence) => void): void {
    const leave = joined.get(channel)
    if (isIn === (leave !== undefined)) return
    joined.delete(channel)
    if (leave) leave()
    else joined.set(channel, push.listen(channel, members ? { members } : {}))
  }

  function followAttention(): void {
    const now = attention.getState()
    setJoined(now === 'awake', channels.awake, (presence) => {
      awake = presence
      draw()
    })
    setJoined(now !== 'gone', shown, (presence) => {
      here = presence
      draw()
    })
    if (shown !== channels.table) setJoined(now !== 'gone', channels.table)
  }

  function draw(): void {
    const { members = [], me } = here ?? {}
    const others = members.filter(({ id }) => id !== me)
    void ask(others.map(sealedOf).filter((sealed) => !known.has(sealed)))
    // Until the page has joined, nobody is known to be idle.
    const awakeIds = awake && new Set(awake.members.map(({ id }) => id))
    const companions = others.flatMap((member) => {
      const person = known.get(sealedOf(member))
      const isIdle = awakeIds !== null && !awakeIds.has(member.id)
      return person === undefined || person === 'asked' ? [] : { id: member.id, isIdle, person }
    })
    const sorted = companions.toSorted((a, b) => Number(a.isIdle) - Number(b.isIdle))
    if (JSON.stringify(sorted) !== JSON.stringify(present.getState())) present.setState(sorted)
  }

  async function ask(sealed: string[]): Promise<void> {
    if (sealed.length === 0) return
    for (const one of sealed) known.set(one, 'asked')
    try {
      const answers = await people(sealed)
      for (const [at, one] of sealed.entries()) known.set(one, answers[at] ?? 'asked')
    } catch {
      // The page's failure display says what went wrong; the next change of members asks again.
      for (const one of sealed) known.delete(one)
      return
    }
    if (!isOver) draw()
  }

  const stopFollowing = attention.subscribe(followAttention)
  followAttention()
  return {
    getState: present.getState,
    subscribe: present.subscribe,
    stop() {
      isOver = true
      stopFollowing()
      for (const leave of joined.values()) leave()
    },
  }
}

/** The server has made and signed what a member tells of itself. */
const sealedOf = ({ info }: ChannelMember): string => (typeof info === 'string' ? info : '')
