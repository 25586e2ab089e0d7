/** What the page of people shows, and what it asks the server to do. */

import type { Typed } from './component-types.ts'

export const PEOPLE_SHOWN = ['all', 'active', 'invited', 'disabled'] as const

export type PeopleShown = (typeof PEOPLE_SHOWN)[number]

export type RoleView = {
  name: string
  label: string
  /** What it may do, in a sentence. */
  text: string
}

export type PersonView = {
  id: string
  name: string
  /** What they are called where only one thing stands: the name, with the address if others have the same name. */
  called: string
  email: string
  isYou: boolean
  state: 'active' | 'invited' | 'disabled'
  role: RoleView
  /** Until when their link works, or since when they are disabled; `null` if there is nothing to say. */
  note: string | null
  lastSeen: string
  /** In how many browsers they are signed in. */
  sessions: string
  isSignedIn: boolean
  hasSecondFactor: boolean
  /** In words, that an OpenID provider signs them in and says their role; else `null`. */
  provider: string | null
  /** Whether a link by which they choose a password is open. */
  hasLink: boolean
}

export type PeopleView = {
  shown: PeopleShown
  search: string
  tabs: { shown: PeopleShown; label: string; count: string; href: string }[]
  people: PersonView[]
  /** Those that somebody can be given, the most powerful first. */
  roles: RoleView[]
  /** The page of what they may do. */
  rolesHref: string
  /** Whether everybody needs a second factor, so that who has none sets one up. */
  needsSecondFactor: boolean
}

/** A link that is shown once. */
export type IssuedLinkView = {
  /** The path: the browser knows what stands before it. */
  path: string
  person: string
  /** What they are called, as in the list. */
  called: string
  email: string
  /** Its label, and what it may do. */
  role: string
  works: string
  /** Sentences: whether it was sent, and what became of an earlier link. */
  notes: string[]
}

/** What of an invitation has to be corrected. */
export type InviteErrors = { name?: string; email?: string }

/** The types of the people component. */
export type PeopleComponent = Typed<{
  view: PeopleView
  state: object
  writable: never
  actions: {
    invite: {
      args: [name: string, email: string, role: string]
      returns: Promise<{ link: IssuedLinkView } | { errors: InviteErrors }>
    }
    /** A new link by which a person chooses a password; earlier ones stop working. */
    renewLink: { args: [person: string]; returns: Promise<IssuedLinkView> }
    /** Takes a link back, and with it the account of somebody who has not come in. */
    withdraw: { args: [person: string]; returns: Promise<void> }
    changeRole: { args: [person: string, role: string]; returns: Promise<void> }
    disable: { args: [person: string]; returns: Promise<void> }
    enable: { args: [person: string]; returns: Promise<void> }
    endSessions: { args: [person: string]; returns: Promise<void> }
    removeSecondFactor: { args: [person: string]; returns: Promise<void> }
  }
}>
