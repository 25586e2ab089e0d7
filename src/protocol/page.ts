/** A page as data: what is drawn on the server, hydrated in the browser, and fetched in place. */

import type { Typed } from './component-types.ts'
import type { ErrorCode } from './errors.ts'
import type { Json } from './json.ts'
import type { Assets } from './wire.ts'

/** One live component on a page. */
export type PageComponent = {
  /** Unique in its page. */
  id: string
  name: string
  snapshot: string
  view: Json
  /** Names of the actions that only answer; absent where there are none. */
  queries?: string[]
  /** Names of the events that it listens to; absent where there are none. */
  listens?: string[]
}

export type Theme = 'light' | 'dark' | 'system'
export type Density = 'compact' | 'comfortable' | 'relaxed'

/** What a person has chosen about the look; kept with their account. */
export type Preferences = { theme: Theme; density: Density; railCollapsed: boolean }

/** One entry of the sidebar. */
export type RailItem = {
  name: string
  label: string
  href: string
  /** Rows as text from the catalogue, such as `302k` or `≈ 48k`, or `null` where not known. */
  count: string | null
}

/** Everything around the page's own content. */
export type ShellView = {
  /** Name and kind of the database, such as `demo` and `SQLite`. */
  database: { name: string; kind: string }
  user: { name: string; email: string; role: string }
  groups: { kind: 'recent' | 'tables' | 'views'; items: RailItem[] }[]
  /** Name of the table that the page is about, if any. */
  current: string | null
  links: {
    start: string
    /** Absent where the host keeps the accounts. */
    account?: string
    /** By `post` it takes the page's token; absent where the host has named none. */
    signOut?: { href: string; method: 'get' | 'post' }
  }
}

/** The shell as the browser knows it. */
export type ShellComponent = Typed<{
  view: ShellView
  state: object
  writable: never
  actions: {
    prefer: {
      args: {
        [Name in keyof Preferences]: [name: Name, value: Preferences[Name]]
      }[keyof Preferences]
      returns: Promise<void>
    }
  }
}>

/** The pages there are, each with the data that is its own. */
export type PageContent =
  | { page: 'list'; component: string }
  | { page: 'record'; component: string }
  | { page: 'account'; component: string }
  | {
      page: 'sign-in'
      facts: Fact[]
      action: string
      email: string
      next: string
      error: string | null
    }
  | {
      page: 'link'
      facts: Fact[]
      action: string
      newAdministrator: boolean
      name: string
      email: string
      errors: { [field: string]: string }
    }
  | { page: 'no-tables' }
  | {
      page: 'error'
      status: number
      code: ErrorCode
      message: string
      detail: string | null
      href: string
      linkText: string
      reference: string | null
    }

/** A step on the way to a page; without an address where it has no page of its own. */
export type Crumb = { label: string; href?: string }

export type Fact = { label: string; value: string }

export type PageData = {
  title: string
  /** Path and query that this page answers. */
  url: string
  /** Language of the copy, for `lang`; numbers and dates may follow another `locale`. */
  language: string
  locale: string
  direction: 'ltr' | 'rtl'
  /** Token for unsafe requests; it belongs to the document (spec §7). */
  csrf: string
  /** Address for updates (spec §7). */
  updateUrl: string
  assets: Assets
  preferences: Preferences
  /** Id of the component around the content, whose view is a `ShellView`; none before sign-in. */
  shell: string | null
  /** The way here from the database, this page last; empty where there is none to show. */
  breadcrumbs: Crumb[]
  content: PageContent
  components: PageComponent[]
}

/** The view of the account page: who one is, and where one is signed in. */
export type AccountView = {
  name: string
  email: string
  role: string
  sessions: SessionView[]
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

/** The account page as the browser knows it. */
export type AccountComponent = Typed<{
  view: AccountView
  state: object
  writable: never
  actions: {
    revoke: { args: [session: string]; returns: Promise<void> }
    revokeOthers: { args: []; returns: Promise<number> }
  }
}>
