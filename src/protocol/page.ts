/** A page as data: what is drawn on the server, hydrated in the browser, and fetched in place. */

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

/** A step on the way to a page; without an address where it has no page of its own. */
export type Crumb = { label: string; href?: string }

/** What a page holds itself. The names of pages are an application's own. */
export type PageContent = {
  /** The name that the browser's registry of pages knows it by. */
  page: string
  /** What it says, as its definition on the server gave it. */
  data: Json
  /** Ids of its components, by slot. */
  components: { [slot: string]: string }
}

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
  /** Id of the component around the content, such as a sidebar; none before sign-in. */
  shell: string | null
  /** The way here from the database, this page last; empty where there is none to show. */
  breadcrumbs: Crumb[]
  content: PageContent
  components: PageComponent[]
}
