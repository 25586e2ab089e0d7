/** Who else is on a table or a record: the channels that tell it, and the words that describe it. */

import type { Typed } from './component-types.ts'

/** A person in a presence channel, in words. */
export type PersonView = {
  /** `null` where the policy hides it. */
  name: string | null
  /** That they are here, in a sentence. */
  here: string
  /** The same, where they have done nothing for a while. */
  idle: string
}

export type PresenceView = {
  /** Who has the table open, in its list or in a record. */
  table: string
  /** Those of them who are using the page now. */
  awake: string
  /** Who has the record open; `null` on a list, and for a key that is too long for a channel's name. */
  record: string | null
  /** Label of the list of people. */
  label: string
}

/** The types of the presence component. */
export type PresenceComponent = Typed<{
  view: PresenceView | null
  state: object
  writable: never
  actions: {
    /** A query: the people of these sealed names, in the same order. */
    people: { args: [sealed: string[]]; returns: Promise<PersonView[]> }
  }
}>
