/** What the page of one's own account shows. */

import type { Density, Theme } from './page.ts'
import type { CodeDraftView } from './second-factor-view.ts'

/** What was done on the page, which it says afterwards. */
export const YOU_DONE = [
  'saved',
  'password',
  'ended',
  'endedOthers',
  'codesOn',
  'codesOff',
  'passkey',
  'passkeyRemoved',
] as const

export type YouDone = (typeof YOU_DONE)[number]

export type YouView = {
  /** Where all of its forms are posted. */
  action: string
  name: string
  email: string
  role: string
  /** What has just been done, in a sentence. */
  done: string | null
  /** What is wrong with what was entered, by field. */
  errors: { [field: string]: string }
  /** `null` where the application around signs people in. */
  account: OwnAccountView | null
  look: LookView
}

export type OwnAccountView = {
  /** In a sentence, that an OpenID provider signs them in, without a password of theirs here; else `null`. */
  provider: string | null
  /** What stands in the fields, such as what was refused. */
  entered: { name: string; email: string }
  sessions: SessionView[]
  second: OwnSecondView
  passkeys: OwnPasskeysView
}

export type OwnPasskeysView = {
  /** Whether they can be had at this address. */
  isOffered: boolean
  passkeys: PasskeyView[]
  /** What the browser is asked for, as JSON, and the name of the new one. */
  draft: { question: string; name: string } | null
}

export type PasskeyView = {
  id: string
  name: string
  /** When it was added and last used, in words. */
  used: string
}

/** What is asked of the person besides the password. */
export type OwnSecondView = {
  isUsed: boolean
  /** Since when codes are asked, in a sentence; `null` where none are. */
  codes: string | null
  /** How many recovery codes are left, in a sentence; `null` without a second factor. */
  left: string | null
  /** What is being set up. */
  draft: CodeDraftView | null
  /** Those that were just made. */
  recovery: string[]
}

export type SessionView = {
  /** Public id of the session; not its secret. */
  id: string
  current: boolean
  /** Browser and system in words, such as “Chromium on Linux”. */
  device: string
  address: string
  created: string
  lastSeen: string
}

export type LookView = {
  theme: Theme
  density: Density
  /** Empty: that of the browser. */
  timeZone: string
  language: string
  zones: string[]
  /** Those that there is copy in; the choice is offered where there are several. */
  languages: { tag: string; label: string }[]
}
